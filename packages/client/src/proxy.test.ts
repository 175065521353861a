import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endpoints } from "@chest/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openBackend } from "./backend.ts";
import { proxyFor } from "./proxy.ts";
import { type FakeBackend, makeCertificate, startFakeBackend } from "./testing/index.ts";

const proxied = (url: string, except?: string) =>
  proxyFor(new URL(url), { https: "http://proxy:3128", http: "proxy:8080", except })?.host;

describe("a proxy", () => {
  it.each([
    ["https://chest.example", "proxy:3128"],
    ["http://chest.example", "proxy:8080"],
  ])("is between this machine and %s", (url, proxy) => expect(proxied(url)).toBe(proxy));

  it.each(["https://localhost", "http://127.0.0.1:8765", "http://[::1]:8765"])("is never asked for %s", (url) =>
    expect(proxied(url)).toBeUndefined(),
  );

  it.each([
    ["chest.example", false],
    [".example", false],
    ["*.example", false],
    ["other.example, chest.example", false],
    ["chest.example:443", false],
    ["*", false],
    ["chest.example:8443", true],
    ["est.example", true],
    ["", true],
  ])("with NO_PROXY=%s is asked: %s", (except, isAsked) =>
    expect(proxied("https://chest.example", except) !== undefined).toBe(isAsked),
  );
});

describe("through a proxy", () => {
  let dir: string;
  let fake: FakeBackend;
  let proxy: Server;
  let seen: { method: string | undefined; target: string | undefined; authorization: string | undefined }[];
  let status: number;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-proxy-"));
    seen = [];
    status = 200;
    proxy = createServer((request, response) => {
      seen.push({ method: request.method, target: request.url, authorization: request.headers["proxy-authorization"] });
      response
        .writeHead(200)
        .end(
          JSON.stringify({ ok: true, version: "1", db: "ok", embedding: { provider: "none", model: null, dim: null } }),
        );
    });
    proxy.on("connect", (request, socket) => {
      seen.push({ method: request.method, target: request.url, authorization: request.headers["proxy-authorization"] });
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const upstream = connect(fake.port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      socket.on("error", () => upstream.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
  });

  afterEach(async () => {
    await fake.stop();
    proxy.closeAllConnections();
    proxy.close();
    await rm(dir, { recursive: true });
  });

  async function ask(url: string, credentials = "") {
    const tls = await makeCertificate(dir, ["DNS:chest.test"]);
    fake = await startFakeBackend({ tls });
    const address = `http://${credentials}127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = () => ({ name: "chest-memory", version: "1", wire: "1.6.0" });
    const backend = openBackend({ url, token: "t", client, ca: tls.ca, proxy: { https: address, http: address } });
    try {
      return await backend.call(endpoints.healthz, { tries: 1 });
    } finally {
      backend.close();
    }
  }

  it("TLS goes in a tunnel, verified end to end", async () => {
    expect(await ask("https://chest.test/chest", "user:p%40ss@")).toMatchObject({ db: "ok" });

    const authorization = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
    expect(seen).toEqual([{ method: "CONNECT", target: "chest.test:443", authorization }]);
    expect(fake.requests[0]).toMatchObject({ path: "/chest/healthz", headers: { host: "chest.test" } });
  });

  it("plain HTTP goes by its whole address", async () => {
    expect(await ask("http://chest.test:8765/chest")).toMatchObject({ db: "ok" });

    expect(seen).toMatchObject([{ method: "GET", target: "http://chest.test:8765/chest/healthz" }]);
  });

  it("a refusal of the proxy names HTTPS_PROXY", async () => {
    status = 407;

    await expect(ask("https://chest.test")).rejects.toMatchObject({
      code: "BACKEND_UNREACHABLE",
      message: expect.stringContaining("(407)"),
      hint: expect.stringContaining("HTTPS_PROXY"),
      details: { reason: "proxy", may_have_arrived: false },
    });
  });
});
