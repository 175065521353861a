import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasNginx, startTlsProxy, type TlsProxy } from "./nginx.ts";

const MIB = 1024 * 1024;

describe.skipIf(!hasNginx)("nginx with TLS in front", () => {
  let server: Server;
  let dir: string;
  let proxy: TlsProxy;
  let dispatcher: Agent;
  let seen: { path: string | undefined; headers: IncomingHttpHeaders };

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      seen = { path: incoming.url, headers: incoming.headers };
      incoming.resume().once("end", () => response.end("ok"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    dir = await mkdtemp(join(tmpdir(), "chest-nginx-"));
    proxy = await startTlsProxy({ upstream: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, dir });
    // Over HTTP/2, nginx ends a refused upload with a stream error, and the client never sees the 413.
    dispatcher = new Agent({ allowH2: false, connect: { ca: await readFile(proxy.caFile, "utf8") } });
  });
  afterAll(async () => {
    await dispatcher.close();
    await proxy.stop();
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });

  const post = async (path: string, bytes: number) => {
    const body = Buffer.alloc(bytes);
    const answer = await request(proxy.url + path, { method: "POST", body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  };

  it("strips the prefix and replaces what a client states about its address", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9", authorization: "Bearer t" };
    const answer = await request(`${proxy.url}/tools/recall?x=1`, { dispatcher, headers });
    await answer.body.dump();
    expect(seen.path).toBe("/tools/recall?x=1");
    expect(seen.headers).toMatchObject({
      host: "localhost",
      authorization: "Bearer t",
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "https",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(answer.headers["strict-transport-security"]).toContain("max-age=");
  });

  it.each([
    { path: "/tools/remember", limit: MIB },
    { path: "/memories/embeddings", limit: 8 * MIB },
    { path: "/api/hooks/sync-session", limit: 50 * MIB },
  ])("accepts $limit bytes on $path and not one more", async ({ path, limit }) => {
    expect(await post(path, limit)).toBe(200);
    expect(await post(path, limit + 1)).toBe(413);
    expect(seen.path).toBe(path);
  });

  it("is not trusted by a client that does not know its authority", async () => {
    await expect(fetch(proxy.url)).rejects.toThrow();
  });
});
