import { once } from "node:events";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Backend, startBackend } from "./support/backend.ts";
import { ask, mcpDoor, restDoor } from "./support/doors.ts";
import { freePort } from "./support/free-port.ts";
import { connectStdioClient, type StdioClient } from "./support/stdio-client.ts";
import { startTcpProxy } from "./support/tcp-proxy.ts";

const TOKEN = "cht_the-token-of-the-outbox-tests-0000";
const note = (at: number) => `note ${at} of the day the backend was away`;
const aFact = (content: string) => ({ entity_name: "acme-api", entity_kind: "project", layer: "learning", content });
const notes = (count: number) => Array.from({ length: count }, (_, at) => note(at));

describe("an agent remembers while the backend is away", () => {
  let dir: string;
  let port: number;
  let closers: (() => Promise<unknown>)[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "chest-outbox-"));
    port = await freePort();
    closers = [];
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
    await rm(dir, { recursive: true, force: true });
  });

  const clientDir = () => join(dir, "client");
  const start = async (): Promise<Backend> => {
    const backend = await startBackend({ dataDir: join(dir, "backend"), port, token: TOKEN });
    closers.push(backend.stop);
    return backend;
  };
  const connect = async (url = `http://127.0.0.1:${port}`, token = TOKEN): Promise<StdioClient> => {
    const client = await connectStdioClient({
      env: {
        CHEST_MODE: "remote",
        CHEST_REMOTE_URL: url,
        CHEST_API_TOKEN: token,
        CHEST_DATA_DIR: clientDir(),
        CHEST_PROJECT: "chest-e2e",
      },
    });
    closers.push(client.stop);
    return client;
  };
  const waiting = () => {
    const names = readdirSync(clientDir(), { recursive: true }).map(String);
    return names.filter((name) => name.startsWith("outbox") && name.endsWith(".json")).length;
  };
  const remember = ({ client }: StdioClient, content: string) => mcpDoor(client).call("chest_remember", aFact(content));
  const queue = async (client: StdioClient, contents: readonly string[]) => {
    for (const content of contents) {
      const { result } = await remember(client, content);
      expect(result).toMatchObject({ ok: true, queued: true, queue_id: expect.any(String), note: expect.any(String) });
    }
    expect(waiting()).toBe(contents.length);
  };
  /** What is stored, oldest first, whoever asks. */
  const stored = async (backend: Backend) => {
    const answer = await ask(restDoor(backend), "chest_recall", { entity_name: "acme-api", max_tokens: 6000 });
    const memories = answer.memories as { id: number; content: string }[];
    return memories.toSorted((a, b) => a.id - b.id).map(({ content }) => content);
  };
  // A client that was told of a dead backend asks after it again within five seconds.
  const deliveredBeforeACall = ({ client }: StdioClient) =>
    vi.waitFor(
      async () => {
        await ask(mcpDoor(client), "chest_list_entities", {});
        expect(waiting()).toBe(0);
      },
      { timeout: 10_000, interval: 200 },
    );
  const untilDelivered = () => vi.waitFor(() => expect(waiting()).toBe(0), { timeout: 20_000, interval: 50 });

  it("keeps what it says, delivers it once and in order before the next call, and says so meanwhile", async () => {
    const client = await connect();
    await queue(client, notes(10));
    const { error } = await mcpDoor(client.client).call("chest_recall", { query: "note" });
    expect(error).toMatchObject({ code: "BACKEND_UNREACHABLE", hint: expect.stringContaining("doctor client") });

    const backend = await start();
    await deliveredBeforeACall(client);
    const { memory_id } = await ask(mcpDoor(client.client), "chest_remember", aFact("and now it is back"));
    expect(memory_id).toBe(11);
    expect(await stored(backend)).toEqual([...notes(10), "and now it is back"]);
    expect(waiting()).toBe(0);
  });

  it("loses and doubles nothing when the client is killed and started again", async () => {
    const killed = await connect();
    await queue(killed, notes(5));
    process.kill(killed.pid, "SIGKILL");
    const backend = await start();
    await connect();
    await untilDelivered();
    expect(await stored(backend)).toEqual(notes(5));
  });

  it("doubles nothing when two clients with one data folder drain at once", async () => {
    const first = await connect();
    await queue(first, notes(40));
    process.kill(first.pid, "SIGKILL");
    const backend = await start();
    await Promise.all([connect(), connect(), connect()]);
    await untilDelivered();
    expect(await stored(backend)).toEqual(notes(40));
  });

  it.each([1, 300])("makes no second memory when the answer is cut after %i bytes", async (bytes) => {
    const backend = await start();
    const proxy = await startTcpProxy(port);
    closers.push(() => proxy.close());
    const client = await connect(proxy.url);
    await ask(mcpDoor(client.client), "chest_list_entities", {});
    proxy.set({ kind: "cut", bytes, way: "down", end: "reset" });
    proxy.reset();
    const { result } = await remember(client, note(0));
    expect(result).toMatchObject({ queued: true });
    expect(await stored(backend)).toEqual([note(0)]);
    proxy.set({ kind: "none" });
    await deliveredBeforeACall(client);
    expect(await stored(backend)).toEqual([note(0)]);
  });

  it("gives the first answer again when it was cut once", async () => {
    const backend = await start();
    const proxy = await startTcpProxy(port);
    closers.push(() => proxy.close());
    const client = await connect(proxy.url);
    await ask(mcpDoor(client.client), "chest_list_entities", {});
    proxy.set({ kind: "cut", bytes: 1, way: "down", end: "reset" });
    proxy.reset();
    const remembered = remember(client, note(0));
    await vi.waitFor(() => expect(backend.log()).toMatch(/chest_remember.*"status":200/), {
      timeout: 5000,
      interval: 5,
    });
    proxy.set({ kind: "none" });
    expect(await remembered).toMatchObject({ result: { memory_id: 1, action: "created" } });
    expect({ waiting: waiting(), stored: await stored(backend) }).toEqual({ waiting: 0, stored: [note(0)] });
  });

  it("tells the agent of a wrong token at once, and neither repeats nor keeps the call", async () => {
    const backend = await start();
    const { error } = await remember(await connect(undefined, TOKEN.replace("0000", "1111")), note(0));
    expect(error).toMatchObject({ code: "UNAUTHORIZED", hint: expect.stringMatching(/\w/) });
    expect({ waiting: waiting(), stored: await stored(backend) }).toEqual({ waiting: 0, stored: [] });
    const refused = backend.log().match(/"status":401/g) ?? [];
    // The question what the backend can do, and the call itself.
    expect(refused.length).toBeLessThanOrEqual(2);
  });

  it.each([200, 401, 404])("neither repeats nor keeps a call that a proxy answers with HTML and %i", async (status) => {
    const posts: unknown[] = [];
    const server = createServer((request, response) => {
      if (request.method === "POST") posts.push(request.url);
      response.writeHead(status, { "content-type": "text/html" }).end("<html><body>Log in, please</body></html>");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(async () => server.close());
    const { error } = await remember(
      await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      note(0),
    );
    expect(error).toMatchObject({
      code: "BACKEND_PROTOCOL_ERROR",
      hint: expect.stringMatching(/proxy|CHEST_REMOTE_URL/),
    });
    expect(waiting()).toBe(0);
    expect(posts.length).toBeLessThanOrEqual(1);
  });

  it("refuses at once what no backend would take", async () => {
    const client = await connect();
    const { error } = await mcpDoor(client.client).call("chest_remember", { ...aFact("x"), layer: "gossip" });
    expect(error).toMatchObject({ code: "INVALID_INPUT" });
    expect(waiting()).toBe(0);
  });
});
