import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

const BODY = "x".repeat(1_000_000);

describe("the TCP proxy", () => {
  let server: Server;
  let proxy: TcpProxy;

  beforeAll(async () => {
    server = createServer((_request, response) => response.end(BODY)).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  beforeEach(async () => {
    proxy = await startTcpProxy((server.address() as AddressInfo).port);
  });
  afterEach(() => proxy.close());
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const body = async (signal?: AbortSignal) => {
    const response = await fetch(proxy.url, { ...(signal && { signal }), headers: { connection: "close" } });
    return response.text();
  };

  it("passes everything through unchanged", async () => {
    expect(await body()).toBe(BODY);
    expect(proxy.accepted).toBe(1);
  });

  it("delays each direction once, whatever the number of chunks", async () => {
    proxy.set({ kind: "latency", ms: 100 });
    const startedAt = performance.now();
    expect(await body()).toBe(BODY);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(190);
    expect(tookMs).toBeLessThan(1500);
  });

  it("refuses with a reset, then accepts again", async () => {
    proxy.set({ kind: "refuse" });
    await expect(body()).rejects.toThrow();
    proxy.set({ kind: "none" });
    expect(await body()).toBe(BODY);
  });

  it("holds a connection in a stall and lets it go on afterwards", async () => {
    proxy.set({ kind: "stall" });
    await expect(body(AbortSignal.timeout(150))).rejects.toThrow();
    const late = body();
    setTimeout(() => proxy.set({ kind: "none" }), 100);
    expect(await late).toBe(BODY);
  });

  it.each(["reset", "close"] as const)("cuts an answer short with a %s", async (end) => {
    proxy.set({ kind: "cut", bytes: 5000, way: "down", end });
    await expect(body()).rejects.toThrow();
  });

  it("cuts a request short", async () => {
    proxy.set({ kind: "cut", bytes: 20, way: "up", end: "close" });
    await expect(body()).rejects.toThrow();
  });

  it("resets what is open", async () => {
    proxy.set({ kind: "stall" });
    const waiting = body();
    setTimeout(() => proxy.reset(), 50);
    await expect(waiting).rejects.toThrow();
  });

  it("closes an idle connection, and the next request opens another", async () => {
    await (await fetch(proxy.url)).text();
    proxy.set({ kind: "close-idle", afterMs: 50 });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await (await fetch(proxy.url)).text()).toBe(BODY);
    expect(proxy.accepted).toBe(2);
  });
});
