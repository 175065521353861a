import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TOOLS } from "@chest/core/tools";
import { aCall } from "@chest/testing";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { InjectOptions } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { A_FACT, openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";
import { TIMEOUTS } from "../timeouts.ts";

const ACCEPT = { accept: "application/json, text/event-stream" };
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const call = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const post = async (payload: InjectOptions["payload"], headers: Record<string, string> = {}, env = {}) => {
  const { app } = await openApp(env);
  return app.inject({
    method: "POST",
    url: "/mcp",
    headers: { ...AUTHORIZATION, ...ACCEPT, ...headers },
    payload: payload ?? "",
  });
};

it.each([undefined, "text/plain", "nonsense"])("reads JSON sent as %s", async (type) => {
  const { app } = await openApp();
  const headers = { ...AUTHORIZATION, ...ACCEPT, ...(type === undefined ? {} : { "content-type": type }) };
  const response = await app.inject({ method: "POST", url: "/mcp", headers, payload: JSON.stringify(LIST) });
  expect([response.statusCode, response.json().result?.tools.length]).toEqual([
    200,
    TOOLS.filter(({ site }) => site === "server").length,
  ]);
});

it("serves every operation to the official client", async () => {
  const { app } = await openApp();
  await app.listen({ port: 0, host: "127.0.0.1" });
  closers.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const client = new Client({ name: "an-agent", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: AUTHORIZATION },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  closers.unshift(() => client.close());

  const { tools } = await client.listTools();
  const stored = await client.callTool({ name: "chest_remember", arguments: A_FACT });
  const found = await client.callTool({ name: "chest_recall", arguments: { query: "autumn outage" } });
  const refused = await client.callTool({ name: "chest_forget", arguments: { memory_id: 999 } });

  expect(client.getServerVersion()).toMatchObject({ name: "chest-memory" });
  expect(client.getInstructions()).toContain("chest_recall");
  expect(tools.map(({ name }) => name)).toContain("chest_remember");
  expect(tools.map(({ name }) => name)).not.toContain("chest_read_smart");
  const smart = client.callTool({ name: "chest_read_smart", arguments: { path: "/etc/passwd" } });
  await expect(smart).rejects.toMatchObject({ code: -32602 });
  expect(stored.structuredContent).toMatchObject({ ok: true });
  expect(found.structuredContent).toMatchObject({ count: 1 });
  expect(refused).toMatchObject({ isError: true });
  await expect(client.callTool({ name: "chest_nothing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  await expect(client.ping()).resolves.toEqual({});
});

it("answers a POST with plain JSON and keeps no session", async () => {
  const response = await post(LIST);

  expect(response.statusCode).toBe(200);
  expect(response.headers["content-type"]).toMatch(/^application\/json/);
  expect(response.headers).not.toHaveProperty("mcp-session-id");
  expect(response.json()).toMatchObject({ jsonrpc: "2.0", id: 1, result: { tools: expect.any(Array) } });
});

it.each([
  ["*/*"],
  ["text/html, */*;q=0.1"],
  ["application/*, text/*;q=0.5"],
  ["Application/JSON, text/*"],
  [undefined],
])("accepts `Accept: %s`, which means both kinds", async (accept) => {
  const { app } = await openApp();
  const headers = {
    ...AUTHORIZATION,
    "content-type": "application/json",
    ...(accept === undefined ? {} : { accept }),
  };
  const response = await app.inject({ method: "POST", url: "/mcp/", headers, payload: LIST });
  expect([response.statusCode, response.json().result?.tools.length > 0]).toEqual([200, true]);
});

it("does not offer the version whose batches it refuses", async () => {
  const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const response = await post({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  expect(response.json().result.protocolVersion).toBe("2025-06-18");
});

it("accepts a notification without an answer", async () => {
  const response = await post({ jsonrpc: "2.0", method: "notifications/initialized" });

  expect(response.statusCode).toBe(202);
  expect(response.payload).toBe("");
});

it.each(["GET", "DELETE"] as const)("refuses %s with 405 and the envelope", async (method) => {
  const { app } = await openApp();
  const response = await app.inject({ method, url: "/mcp", headers: AUTHORIZATION });

  expect(response.statusCode).toBe(405);
  expect(response.headers.allow).toBe("POST");
  expect(response.json()).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  expect((await app.inject({ method, url: "/mcp" })).statusCode).toBe(401);
});

it("wants the token before it reads anything", async () => {
  const { app } = await openApp();
  const response = await app.inject({ method: "POST", url: "/mcp", headers: ACCEPT, payload: "{" });

  expect(response.statusCode).toBe(401);
});

describe("an Origin", () => {
  const origin = "https://agent.example";

  it("that is not configured is refused", async () => {
    const response = await post(LIST, { origin });

    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ ok: false, error: { code: "FORBIDDEN" } });
  });

  it("that is configured passes", async () => {
    expect((await post(LIST, { origin }, { CHEST_MCP_ORIGINS: `https://other.example, ${origin}` })).statusCode).toBe(
      200,
    );
  });
});

it.each(["[]", "null", '"x"', "{", JSON.stringify([LIST, LIST])])(
  "answers %.30s with the error envelope",
  async (payload) => {
    const response = await post(payload);

    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ ok: false, error: { code: "VALIDATION_ERROR" } });
  },
);

it("answers JSON that is no JSON-RPC as the protocol requires", async () => {
  expect((await post({ hello: "world" })).json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32700 } });
});

it("handles the headers of REST: idempotency, request id, wire version", async () => {
  const { app } = await openApp();
  const send = (headers: object) =>
    app.inject({
      method: "POST",
      url: "/mcp",
      headers: { ...AUTHORIZATION, ...ACCEPT, ...headers },
      payload: call("chest_remember", { ...A_FACT, force: true }),
    });
  const first = await send({ "idempotency-key": "k-1", "x-request-id": "r-1" });
  const again = await send({ "idempotency-key": "k-1" });

  expect(first.headers["x-request-id"]).toBe("r-1");
  expect(again.headers["idempotency-replayed"]).toBe("true");
  expect(again.json()).toEqual(first.json());
  expect((await send({ "idempotency-key": "not one" })).json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
  expect((await send({ "x-chest-client": "x/1; wire=1.0.0" })).statusCode).toBe(426);
});

it("enforces the scopes of the token", async () => {
  const response = await post(call("chest_remember", A_FACT), {}, { CHEST_API_TOKEN_SCOPES: "read" });

  expect(response.json()).toMatchObject({ result: { isError: true } });
  expect(response.json().result.content[0].text).toContain('"FORBIDDEN"');
});

describe("a method that is not a tool", () => {
  const HANDED_OUT = [
    ...["memory/ID", "history/ID", "hot", "recent", "realizes", "layer/learning", "entity/acme-api", "stats"].map(
      (path) => ["resources/read", { uri: `memory://${path}` }] as const,
    ),
    ["resources/list", {}],
    ["resources/templates/list", {}],
    ["prompts/list", {}],
    ["prompts/get", { name: "entity-handoff", arguments: { entity_name: "acme-api" } }],
    [
      "completion/complete",
      {
        ref: { type: "ref/resource", uri: "memory://entity/{name}" },
        argument: { name: "name", value: "acme" },
      },
    ],
  ] as const;
  const asked = async (method: string, params: object, scopes: string) => {
    const { app, executor } = await openApp({ CHEST_API_TOKEN_SCOPES: scopes });
    const { memory_id } = await executor.execute("chest_remember", A_FACT, aCall());
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }).replace("ID", String(memory_id));
    const headers = { ...AUTHORIZATION, ...ACCEPT };
    return app.inject({ method: "POST", url: "/mcp", headers, payload: message });
  };

  it.each(HANDED_OUT)("needs the scope `read`: %s %j", async (method, params) => {
    for (const scopes of ["write", "operate", "write,operate"]) {
      const { statusCode, payload } = await asked(method, params, scopes);
      expect([scopes, statusCode]).toEqual([scopes, 403]);
      expect(JSON.parse(payload)).toMatchObject({ error: { code: "FORBIDDEN", details: { scope: "read" } } });
      expect(payload).not.toMatch(/acme|autumn/);
    }
    expect((await asked(method, params, "read")).json()).toHaveProperty("result");
  });

  it.each([
    ["tools/list", {}],
    ["ping", {}],
    ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "an-agent", version: "1" } }],
  ])("is open to any token where it reveals nothing stored: %s", async (method, params) => {
    for (const scopes of ["read", "write", "operate"])
      expect((await asked(method, params, scopes)).json()).toHaveProperty("result");
  });
});

it("keeps a connection alive while a user thinks", async () => {
  const { app } = await openApp({}, { timeouts: { ...TIMEOUTS, connectionMs: 1500, checkMs: 100 } });
  await app.listen({ port: 0, host: "127.0.0.1" });
  closers.push(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const client = new Client({ name: "an-agent", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await sleep(3500);
    return { action: "accept" as const, content: { confirm: true } };
  });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: AUTHORIZATION },
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  closers.unshift(() => client.close());
  const { structuredContent } = await client.callTool({ name: "chest_remember", arguments: A_FACT });
  const { memory_id } = structuredContent as { memory_id: number };

  const forgotten = await client.callTool({ name: "chest_forget", arguments: { memory_id, interactive: true } });

  expect(forgotten.structuredContent).toMatchObject({ archived: 1 });
});

it("does not ask a user whom it cannot reach", async () => {
  const { app } = await openApp();
  const send = async (name: string, args: object) => {
    const headers = { ...AUTHORIZATION, ...ACCEPT };
    return (await app.inject({ method: "POST", url: "/mcp", headers, payload: call(name, args) })).json().result;
  };
  const stored = await send("chest_remember", A_FACT);
  const declined = await send("chest_forget", { memory_id: stored.structuredContent.memory_id, interactive: true });

  expect(declined).toMatchObject({ isError: true });
  expect(declined.content[0].text).toContain('"DECLINED"');
});
