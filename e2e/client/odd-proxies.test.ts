import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { type Door, mcpDoor, restDoor } from "../support/clients/doors.ts";
import { connectStdioClient } from "../support/clients/stdio-client.ts";
import { hasNginx, startTlsProxy } from "../support/deployment/nginx.ts";
import { startTcpProxy } from "../support/deployment/tcp-proxy.ts";

const aFact = (content: string) => ({
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content,
});

let dir: string;
let backend: Backend;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-proxies-"));
  backend = await startBackend();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(async () => {
  await backend?.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Opens an agent's client for this address; an `undefined` authority leaves CHEST_CA_FILE unset. */
async function agentAt(url: string, caFile?: string): Promise<Door> {
  const client = await connectStdioClient({
    env: {
      CHEST_MODE: "remote",
      CHEST_REMOTE_URL: url,
      CHEST_API_TOKEN: backend.token,
      CHEST_DATA_DIR: await mkdtemp(join(dir, "agent-")),
      CHEST_PROJECT: "chest-e2e",
      ...(caFile === undefined ? {} : { CHEST_CA_FILE: caFile }),
    },
  });
  closers.push(client.stop);
  return mcpDoor(client.client);
}

async function behindNginx(directives: string, { trusted = true } = {}): Promise<Door> {
  const proxy = await startTlsProxy({ upstream: backend.url, directives, dir: await mkdtemp(join(dir, "nginx-")) });
  closers.push(proxy.stop);
  return agentAt(proxy.url, trusted ? proxy.caFile : undefined);
}

const stored = async (content: string) => {
  const { result } = await restDoor(backend).call("chest_recall", { query: content, limit: 200, mark_accessed: false });
  const { memories } = result as { memories: { content: string }[] };
  return memories.filter((memory) => memory.content === content).length;
};

describe.skipIf(!hasNginx)("behind a foreign nginx, a client says what is in the way:", () => {
  it("one that removes the token", async () => {
    const agent = await behindNginx('proxy_set_header Authorization "";');
    const { error } = await agent.call("chest_recall", { query: "anything" });
    expect(error).toMatchObject({ code: "UNAUTHORIZED", hint: expect.stringContaining("strips `Authorization`") });
  });

  it("none, when the token itself is wrong", async () => {
    const wrong = restDoor({ ...backend, token: "x".repeat(40) });
    expect((await wrong.call("chest_recall", { query: "x" })).headers?.get("www-authenticate")).toContain(
      "invalid_token",
    );
    const agent = await behindNginx(`proxy_set_header Authorization "Bearer ${"y".repeat(40)}";`);
    const { error } = await agent.call("chest_recall", { query: "anything" });
    expect(error?.code).toBe("UNAUTHORIZED");
    expect(error?.hint).not.toContain("strips `Authorization`");
  });

  it("one that limits bodies to 1 KB", async () => {
    const agent = await behindNginx("client_max_body_size 1k;");
    const small = "a short fact passes a narrow proxy";
    expect((await agent.call("chest_remember", aFact(small))).result).toMatchObject({ ok: true });
    for (const length of [1500, 7900]) {
      const { error } = await agent.call(
        "chest_remember",
        aFact(`long ${"facts do not pass ".repeat(500)}`.slice(0, length)),
      );
      expect(error, `${length}`).toMatchObject({
        code: "BACKEND_PROTOCOL_ERROR",
        message: expect.stringContaining("413"),
        hint: expect.stringContaining("client_max_body_size"),
        details: { status: 413 },
      });
    }
    expect(await stored(small)).toBe(1);
  });

  it("one that answers HTML in the backend's place", async () => {
    const agent = await behindNginx("default_type text/html; return 200 '<html>maintenance</html>';");
    expect((await agent.call("chest_recall", { query: "anything" })).error).toMatchObject({
      code: "BACKEND_PROTOCOL_ERROR",
      hint: expect.stringContaining("a proxy may be in the way"),
    });
  });

  it("one whose authority this machine does not trust, until CHEST_CA_FILE names it", async () => {
    const stranger = await behindNginx("", { trusted: false });
    expect((await stranger.call("chest_recall", { query: "anything" })).error).toMatchObject({
      code: "BACKEND_UNREACHABLE",
      hint: expect.stringContaining("CHEST_CA_FILE"),
    });
    const friend = await behindNginx("");
    expect((await friend.call("chest_recall", { query: "anything" })).result).toMatchObject({ ok: true });
  });
});

describe("behind a proxy that closes idle connections", () => {
  it("each call is answered, and each memory is stored once, whenever the connection ends", {
    timeout: 60_000,
  }, async () => {
    const proxy = await startTcpProxy(Number(new URL(backend.url).port));
    closers.push(() => proxy.close());
    const agent = await agentAt(proxy.url);
    proxy.set({ kind: "close-idle", afterMs: 50 });

    const contents = Array.from({ length: 30 }, (_, at) => `idle connection number ${at} was closed`);
    for (const [at, content] of contents.entries()) {
      expect((await agent.call("chest_remember", aFact(content))).result).toMatchObject({
        ok: true,
        action: "created",
      });
      // Requests before, at and after the moment at which the proxy closes the connection.
      await sleep(46 + (at % 10));
    }

    expect(proxy.accepted).toBeGreaterThan(2);
    for (const content of contents) expect(await stored(content), content).toBe(1);
  });
});
