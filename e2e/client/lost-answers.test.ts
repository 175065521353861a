import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, mcpDoor } from "../support/clients/doors.ts";
import { LoneClient, remember, storedIn, TOKEN } from "../support/clients/lone-client.ts";
import { startTcpProxy } from "../support/deployment/tcp-proxy.ts";

const FACT = "the answer to this one gets lost on its way";

describe("a call whose answer is lost, or comes from another server", () => {
  let lone: LoneClient;

  beforeEach(async () => {
    lone = await LoneClient.open();
  });
  afterEach(() => lone.close());

  const connectThroughProxy = async () => {
    const backend = await lone.startBackend();
    const proxy = await startTcpProxy(lone.port);
    lone.also(() => proxy.close());
    const client = await lone.connect({ url: proxy.url });
    await ask(mcpDoor(client.client), "chest_list_entities", {});
    return { backend, proxy, client };
  };

  it.each([1, 300])("makes no second memory when every answer is cut after %i bytes", async (bytes) => {
    const { backend, proxy, client } = await connectThroughProxy();
    proxy.set({ kind: "cut", bytes, way: "down", end: "reset" });
    proxy.reset();
    expect((await remember(client, FACT)).result).toMatchObject({ queued: true });
    expect(await storedIn(backend)).toEqual([FACT]);
    proxy.set({ kind: "none" });
    await lone.deliveredBeforeACall(client);
    expect(await storedIn(backend)).toEqual([FACT]);
  });

  it("gets the first answer again when it was cut once", async () => {
    const { backend, proxy, client } = await connectThroughProxy();
    proxy.set({ kind: "cut", bytes: 1, way: "down", end: "reset" });
    proxy.reset();
    const remembered = remember(client, FACT);
    await vi.waitFor(async () => expect(await storedIn(backend)).toEqual([FACT]), { timeout: 5000, interval: 5 });
    proxy.set({ kind: "none" });
    expect(await remembered).toMatchObject({ result: { memory_id: 1, action: "created" } });
    expect({ waiting: lone.waiting, stored: await storedIn(backend) }).toEqual({ waiting: 0, stored: [FACT] });
  });

  it("is queued, and stored once, when the request itself is cut", async () => {
    const { backend, proxy, client } = await connectThroughProxy();
    proxy.set({ kind: "cut", bytes: 100, way: "up", end: "reset" });
    proxy.reset();
    expect((await remember(client, FACT)).result).toMatchObject({ queued: true });
    expect(await storedIn(backend)).toEqual([]);
    proxy.set({ kind: "none" });
    await lone.deliveredBeforeACall(client);
    expect(await storedIn(backend)).toEqual([FACT]);
  });

  it("reports a wrong token at once, and neither repeats nor keeps the call", async () => {
    const backend = await lone.startBackend();
    const client = await lone.connect({ token: TOKEN.replace("0000", "1111") });
    const { error } = await remember(client, FACT);
    expect(error).toMatchObject({ code: "UNAUTHORIZED", hint: expect.stringMatching(/\w/) });
    expect({ waiting: lone.waiting, stored: await storedIn(backend) }).toEqual({ waiting: 0, stored: [] });
    const refused = () => backend.log().match(/"status":401/g) ?? [];
    await vi.waitFor(() => expect(refused()).not.toEqual([]), { timeout: 5000 });
    // The request for the backend's capabilities, and the call itself.
    expect(refused().length).toBeLessThanOrEqual(2);
  });

  it.each([200, 401, 404])("neither repeats nor keeps what a proxy answers with HTML and %i", async (status) => {
    const posts: unknown[] = [];
    const server = createServer((request, response) => {
      if (request.method === "POST") posts.push(request.url);
      response.writeHead(status, { "content-type": "text/html" }).end("<html><body>Log in, please</body></html>");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    lone.also(async () => server.close());
    const { port } = server.address() as AddressInfo;
    const { error } = await remember(await lone.connect({ url: `http://127.0.0.1:${port}` }), FACT);
    const hint = expect.stringMatching(/path prefix|a proxy/);
    expect(error).toMatchObject({ code: "BACKEND_PROTOCOL_ERROR", hint });
    expect(lone.waiting).toBe(0);
    expect(posts.length).toBeLessThanOrEqual(1);
  });
});
