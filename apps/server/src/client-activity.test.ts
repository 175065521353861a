import type { AddressInfo } from "node:net";
import { localCaller } from "@chest/core/access";
import { aCall } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "./testing/sqlite-app.ts";

const MINUTE_MS = 60_000;
const ALICE: TestRequester = { member: "alice" };
const as = (client: string): TestRequester => ({ ...ALICE, headers: { "x-chest-client": client } });

let backend: SqliteApp;
beforeEach(async () => {
  backend = await openSqliteApp();
});
afterEach(() => backend.close());

/** Reads the session of a stored memory. */
const sessionOf = async (id: number) =>
  (await backend.engine.as(aCall({ caller: localCaller(undefined) })).memories.byId(id))?.session;

/** Waits longer than a buffered note waits before it is written. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 200));

let told = 0;
async function remembered(by: TestRequester = ALICE): Promise<string | undefined> {
  told += 1;
  return sessionOf(await backend.store(`heron fact ${told}`, {}, by));
}

async function onMcp(name: string, input: object, by: TestRequester = ALICE) {
  const headers = { accept: "application/json, text/event-stream", ...by.headers };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
  return (await backend.post("/mcp", message, { ...by, headers })).body.result.structuredContent;
}

/** Connects with the official MCP client, which sends no header but its token. */
async function connect(by: TestRequester = ALICE): Promise<Client> {
  await backend.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = backend.app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${await backend.tokenOf(by)}` };
  const client = new Client({ name: "an-agent", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}

describe("writes without a session id", () => {
  it("belong to one session, over REST and at /mcp alike, until the client pauses for half an hour", async () => {
    const first = await remembered();
    expect(first).toMatch(/^auto-\d+-[\da-f]{16}-[\da-f-]{36}$/);
    backend.advance(29 * MINUTE_MS);
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "egret fact" };
    const { memory_id: second } = await onMcp("chest_remember", fact);
    expect(await sessionOf(second)).toBe(first);
    backend.advance(29 * MINUTE_MS);
    expect(await remembered()).toBe(first);
    backend.advance(31 * MINUTE_MS);
    const later = await remembered();
    expect(later).toMatch(/^auto-/);
    expect(later).not.toBe(first);
  });

  it("belong to another session for another member, and for another client of the same member", async () => {
    const sessions = [
      await remembered(),
      await remembered({ member: "bob" }),
      await remembered({}),
      await remembered(as("cursor/1.0")),
      await remembered(as("cursor/1.0; machine=desk")),
      await remembered(as("cursor/1.0; machine=desk; agent=reviewer")),
      await remembered({ ...ALICE, headers: { "user-agent": "curl/8" } }),
    ];
    expect(new Set(sessions).size).toBe(7);
    expect(await remembered(as("cursor/1.1"))).toBe(sessions[3]);
    expect(await remembered()).toBe(sessions[0]);
  });

  it("belong to the session that the client sends, where it sends one", async () => {
    const by = { ...ALICE, headers: { "x-chest-session": "s-1" } };
    expect(await remembered(by)).toBe("s-1");
    expect(await remembered({ ...ALICE, headers: { "x-chest-session": "" } })).toMatch(/^auto-/);
  });

  it("stay in one session while the client reads, and reading writes nothing", async () => {
    // The last use of the shared token is not recorded, so it causes no write.
    const first = await remembered({});
    expect(first).toMatch(/^auto-/);
    await settled();
    const commits = backend.engine.host?.load().writer.commits;
    for (const asked of [
      { query: "heron", mark_accessed: false },
      { ids: [1], mark_accessed: false },
    ]) {
      backend.advance(25 * MINUTE_MS);
      expect(await backend.tool("chest_recall", asked, {})).toMatchObject({ count: 1 });
    }
    await settled();
    expect(backend.engine.host?.load().writer.commits).toBe(commits);
    backend.advance(25 * MINUTE_MS);
    expect(await remembered({})).toBe(first);
  });

  it("belong to no session when they are refused, and no session is created", async () => {
    const wrong = { entity_name: "acme", entity_kind: "project", layer: "nothing", content: "x" };
    expect(await backend.tool("chest_remember", wrong, ALICE)).toMatchObject({ code: "INVALID_INPUT" });
    expect(await backend.tool("chest_forget", { memory_id: 99 }, ALICE)).toMatchObject({ code: "NOT_FOUND" });
    const { body } = await backend.get("/api/resources?uri=memory://stats", ALICE);
    expect(body.sessions_seen).toBe(0);
  });

  it("do not narrow what maintenance examines: a guessed session without own writes is left out", async () => {
    const about = { entity_name: "hideout", layer: "context", importance: 0.1 };
    for (const tree of ["amber", "birch", "cedar"])
      await backend.store(`nightly build of the gateway failed on the ${tree} runner`, about, as("elder/1"));
    backend.advance(60 * 24 * 60 * MINUTE_MS);
    await remembered();
    const plan = await backend.tool("chest_consolidate", { dry_run: true }, ALICE);
    expect(plan.preview).toMatchObject([{ entity: "hideout" }]);
  });
});

describe("a fact that is stored after another", () => {
  const QUESTION = "kestrel migration is stuck";
  const ANSWER = "a lock was held by vacuum";
  const fact = (content: string) => ({ entity_name: "acme", entity_kind: "project", layer: "learning", content });

  it("is not found by the other fact's words, although both are in one session", async () => {
    const question = await backend.store(QUESTION, {}, ALICE);
    await backend.store(ANSWER, {}, ALICE);
    const { memories } = await backend.tool("chest_recall", { query: "kestrel", format: "raw", limit: 10 }, ALICE);
    expect(memories.map(({ id }: { id: number }) => id)).toEqual([question]);
  });

  it("is not found by them at /mcp either, by the official client", async () => {
    const client = await connect();
    const tell = async (content: string) =>
      (await client.callTool({ name: "chest_remember", arguments: fact(content) })).structuredContent;
    const asked = (await tell(QUESTION)) as { memory_id: number };
    await tell(ANSWER);
    const { structuredContent } = await client.callTool({ name: "chest_recall", arguments: { query: "kestrel" } });
    const { memories } = structuredContent as { memories: { id: number }[] };
    expect(memories.map(({ id }) => id)).toEqual([asked.memory_id]);
    await client.close();
  });

  it("is not found by the words of another client's fact, or of an earlier session's", async () => {
    await backend.store(QUESTION, {}, ALICE);
    await backend.store(ANSWER, {}, as("cursor/1.0"));
    backend.advance(31 * MINUTE_MS);
    await backend.store("the timeout was raised", {}, ALICE);
    expect((await backend.tool("chest_recall", { query: "kestrel" }, ALICE)).count).toBe(1);
  });
});
