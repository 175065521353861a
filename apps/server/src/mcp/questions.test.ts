import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE: TestRequester = { member: "alice" };
const BOB: TestRequester = { member: "bob" };
const YES: ElicitResult = { action: "accept", content: { confirm: true } };

let backend: SqliteApp;
let url: string;
let sessionId = "";
beforeAll(async () => {
  ({ backend, url } = await openBackend());
  const clientInfo = { name: "an-agent", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: { elicitation: {} }, clientInfo };
  const { headers } = await post({ id: 1, method: "initialize", params }, ALICE, { backend, url });
  sessionId = headers.get("mcp-session-id") ?? "";
});
afterAll(() => backend.close());

async function openBackend() {
  const backend = await openSqliteApp();
  await backend.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = backend.app.server.address() as AddressInfo;
  return { backend, url: `http://127.0.0.1:${port}/mcp` };
}

/** Connects the official MCP client, whose user answers with `says`; without `says` the client takes no questions. */
async function connect(says?: () => ElicitResult) {
  const client = new Client({ name: "an-agent", version: "1" }, { capabilities: says ? { elicitation: {} } : {} });
  const questions: string[] = [];
  if (says) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return says();
    });
  }
  const headers = { authorization: `Bearer ${await backend.tokenOf(ALICE)}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const forget = async (memory_id: number) => {
    const answer = await client.callTool({ name: "chest_forget", arguments: { memory_id, interactive: true } });
    return answer.structuredContent ?? JSON.parse((answer.content as { text: string }[])[0]?.text ?? "");
  };
  return { client, questions, forget };
}

const isLive = async (id: number) => (await backend.tool("chest_recall", { ids: [id] }, ALICE)).count === 1;

/** Posts a message with the session id of a client that takes questions. */
async function post(message: object, by: TestRequester, at: { backend: SqliteApp; url: string }, signal?: AbortSignal) {
  const headers = {
    "mcp-session-id": sessionId,
    authorization: `Bearer ${await at.backend.tokenOf(by)}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return fetch(at.url, { method: "POST", headers, body, ...(signal ? { signal } : {}) });
}

/** Yields the messages of a stream as they arrive. */
async function* messagesOf({ body }: Response) {
  let text = "";
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}

/** Stores a memory of alice's and makes the server ask whether to forget it. */
async function asked(at = { backend, url }, signal?: AbortSignal) {
  const id = await at.backend.store("the heron sleeps", {}, ALICE);
  const params = { name: "chest_forget", arguments: { memory_id: id, interactive: true } };
  const response = await post({ id: 7, method: "tools/call", params }, ALICE, at, signal);
  const messages = messagesOf(response);
  const { value: question } = await messages.next();
  return { id, response, messages, question };
}

describe("a question to the user over /mcp", () => {
  it("is put to a client that takes questions, and its answer is obeyed", async () => {
    const says = vi.fn<() => ElicitResult>(() => ({ action: "decline" }));
    const { client, questions, forget } = await connect(says);
    const id = await backend.store("the crane wakes", {}, ALICE);

    expect(await forget(id)).toMatchObject({ error: { code: "DECLINED", details: { reason: "declined" } } });
    expect(await isLive(id)).toBe(true);
    says.mockReturnValue(YES);
    expect(await forget(id)).toEqual({ ok: true, archived: 1, memory_id: id });
    expect(await isLive(id)).toBe(false);
    expect(questions.at(-1)).toContain(`Archive memory ${id}?`);
    await client.close();
  });

  it("is not asked when the client takes no questions", async () => {
    const { client, forget } = await connect();
    const id = await backend.store("the stork stays", {}, ALICE);

    expect(await forget(id)).toMatchObject({ error: { code: "DECLINED", details: { reason: "no_elicitation" } } });
    expect(await isLive(id)).toBe(true);
    await client.close();
  });

  it("is put to no client that has not said that it takes questions", async () => {
    const id = await backend.store("the egret rests", {}, ALICE);
    const params = { name: "chest_forget", arguments: { memory_id: id, interactive: true } };
    const headers = { accept: "application/json, text/event-stream" };
    const { body } = await backend.post(
      "/mcp",
      { jsonrpc: "2.0", id: 7, method: "tools/call", params },
      { ...ALICE, headers },
    );
    expect(JSON.stringify(body)).toContain("no_elicitation");
    expect(await isLive(id)).toBe(true);
  });

  it("comes on a stream that proxies do not buffer, and is answered in a separate request", async () => {
    const { id, response, messages, question } = await asked();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(question).toMatchObject({ method: "elicitation/create", id: expect.stringMatching(/^[\da-f-]{36}$/) });

    expect((await post({ id: question.id, result: YES }, ALICE, { backend, url })).status).toBe(202);

    expect((await messages.next()).value).toMatchObject({ id: 7, result: { structuredContent: { archived: 1 } } });
    expect((await messages.next()).done).toBe(true);
    expect(await isLive(id)).toBe(false);
  });

  it("accepts no answer from another member, or under another id", async () => {
    const { id, messages, question } = await asked();
    for (const [by, to] of [
      [BOB, question.id],
      [ALICE, 0],
      [ALICE, "7"],
    ] as const) {
      expect((await post({ id: to, result: YES }, by, { backend, url })).status).toBe(202);
    }
    expect(await isLive(id)).toBe(true);

    await post({ id: question.id, result: { action: "cancel" } }, ALICE, { backend, url });
    expect(JSON.stringify((await messages.next()).value)).toContain("cancelled");
    expect(await isLive(id)).toBe(true);
  });

  it("takes no answer from a token of the same member that could not make the call itself", async () => {
    const { id, messages, question } = await asked();
    const answer = (by: TestRequester) => post({ id: question.id, result: YES }, by, { backend, url });

    const readOnly = await answer({ ...ALICE, scopes: ["read"] });
    expect(readOnly.status).toBe(403);
    expect(await readOnly.json()).toMatchObject({ error: { code: "FORBIDDEN", details: { scope: "write" } } });
    const narrower = await answer({ ...ALICE, projects: ["host/org/apple"] });
    expect(narrower.status).toBe(403);
    expect(await isLive(id)).toBe(true);

    expect((await answer({ ...ALICE, scopes: ["write"] })).status).toBe(202);
    expect((await messages.next()).value).toMatchObject({ result: { structuredContent: { archived: 1 } } });
  });

  it("changes nothing once the token that asked was revoked, whatever the user answers with another token", async () => {
    const own = await openBackend();
    const { id, messages, question } = await asked(own);
    const [token] = await own.backend.admin.listTokens({ all: "true" });
    await own.backend.admin.revokeToken({ id: token?.id });

    const other = { ...ALICE, scopes: ["read", "write", "operate"] } as const;
    expect((await post({ id: question.id, result: YES }, other, own)).status).toBe(202);
    const { value: said } = await messages.next();
    expect(said).toMatchObject({ id: 7, result: { isError: true } });
    expect(JSON.stringify(said)).toContain("UNAUTHORIZED");
    expect((await own.backend.tool("chest_recall", { ids: [id] }, BOB)).count).toBe(1);
    await own.backend.close();
  });

  it("is one of at most sixteen that wait for one token", async () => {
    const own = await openBackend();
    const id = await own.backend.store("the ibis waits", {}, ALICE);
    const params = { name: "chest_forget", arguments: { memory_id: id, interactive: true } };
    const ask = (by: TestRequester = ALICE) => post({ id: 7, method: "tools/call", params }, by, own);
    const waiting = await Promise.all(Array.from({ length: 16 }, () => ask()));
    expect(waiting.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));

    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({
      error: { code: "RATE_LIMITED", hint: expect.stringContaining("answer or cancel"), details: { limit: 16 } },
    });
    expect((await ask(BOB)).status).toBe(200);
    expect((await own.backend.tool("chest_recall", { query: "ibis" }, ALICE)).count).toBe(1);

    const messages = messagesOf(waiting[0] as Response);
    const { value: question } = await messages.next();
    await post({ id: question.id, result: { action: "decline" } }, ALICE, own);
    await messages.next();
    expect((await messages.next()).done).toBe(true);
    expect((await ask()).status).toBe(200);
    await own.backend.close();
  });

  it("is withdrawn when the client leaves", async () => {
    const own = await openBackend();
    const left = new AbortController();
    const sockets: Socket[] = [];
    own.backend.app.server.on("connection", (socket) => sockets.push(socket));
    const { id, question, messages } = await asked(own, left.signal);
    const isGone = Promise.all(sockets.map((socket) => once(socket, "close")));
    left.abort();
    await expect(messages.next()).rejects.toThrow();
    await isGone;

    await post({ id: question.id, result: YES }, ALICE, own);

    expect((await own.backend.tool("chest_recall", { ids: [id] }, ALICE)).count).toBe(1);
    await own.backend.close();
  });

  it("ends when the backend ends, which does not wait for the user", async () => {
    const own = await openBackend();
    const { messages } = await asked(own);
    await own.backend.close();
    expect((await messages.next()).value).toMatchObject({
      id: 7,
      error: { message: expect.stringContaining("shutting") },
    });
  });
});
