import type { AddressInfo } from "node:net";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteApp, type SqliteApp, type TestRequester } from "../testing/sqlite-app.ts";

const ALICE: TestRequester = { member: "alice" };
const YES: ElicitResult = { action: "accept", content: { confirm: true } };

let backend: SqliteApp;
let url: string;
beforeAll(async () => {
  backend = await openSqliteApp();
  await backend.app.listen({ port: 0, host: "127.0.0.1" });
  url = `http://127.0.0.1:${(backend.app.server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => backend.close());

/**
 * Connects a client of protocol 2026-07-28, whose user answers with `says`; without `says` the client takes no
 * questions.
 */
async function connect(says?: () => ElicitResult | Promise<ElicitResult>) {
  const client = new Client(
    { name: "an-agent", version: "1" },
    { capabilities: says ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const questions: string[] = [];
  if (says) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return says();
    });
  }
  const headers = { authorization: `Bearer ${await backend.tokenOf(ALICE)}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const forget = async (memory_id: number) => {
    const answer = await client.callTool({ name: "chest_forget", arguments: { memory_id, interactive: true } });
    return answer.structuredContent ?? JSON.parse((answer.content as { text: string }[])[0]?.text ?? "");
  };
  return { client, questions, forget };
}

const remember = async () =>
  (
    await backend.tool(
      "chest_remember",
      {
        entity_name: "acme",
        entity_kind: "project",
        layer: "learning",
        content: `deploys go through ${Math.random()}`,
      },
      ALICE,
    )
  ).memory_id as number;
const isLive = async (id: number) => (await backend.tool("chest_recall", { ids: [id] }, ALICE)).count === 1;

/** Sends one raw HTTP request. */
async function post(method: string, params: object = {}, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await backend.tokenOf(ALICE)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "by-hand", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("requests that state their protocol version", () => {
  it("are answered at the address of the older clients, without a handshake", async () => {
    const { client } = await connect();
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(client.getServerVersion()).toMatchObject({ name: "chest-memory", title: "Chest" });
    expect(client.getServerVersion()?.icons?.[0]?.mimeType).toBe("image/svg+xml");
    const answer = await client.callTool({ name: "chest_recall", arguments: { query: "deploys" } });
    expect(answer.structuredContent).toMatchObject({ count: expect.any(Number) });
  });

  it("say how long a list is valid, and list the same every time", async () => {
    const first = await post("tools/list");
    const second = await post("tools/list");
    expect(first.body.result).toMatchObject({ resultType: "complete", ttlMs: 3_600_000, cacheScope: "public" });
    expect(second.body).toEqual(first.body);
    expect(first.body.result.tools.every(({ title }: { title?: string }) => title)).toBe(true);
  });

  it("ask the user by requesting the call again, and act only on a yes", async () => {
    const kept = await remember();
    const no = await connect(() => ({ action: "decline" }));
    expect(await no.forget(kept)).toMatchObject({ error: { code: "DECLINED", details: { reason: "declined" } } });
    expect(await isLive(kept)).toBe(true);

    const gone = await remember();
    const yes = await connect(() => YES);
    expect(await yes.forget(gone)).toMatchObject({ ok: true });
    expect(yes.questions).toEqual([expect.stringContaining(`Archive memory ${gone}?`)]);
    expect(await isLive(gone)).toBe(false);
  });

  it("ask anew when the memory has changed since the question", async () => {
    const id = await remember();
    let hasChanged = false;
    const { forget, questions } = await connect(async () => {
      if (!hasChanged) await backend.tool("chest_update_memory", { memory_id: id, content: "nothing deploys" }, ALICE);
      hasChanged = true;
      return YES;
    });
    expect(await forget(id)).toMatchObject({ ok: true });
    expect(questions).toHaveLength(2);
    expect(questions[1]).toContain("nothing deploys");
  });

  it("say so where no user can be asked", async () => {
    const id = await remember();
    const { forget } = await connect();
    expect(await forget(id)).toMatchObject({ error: { code: "DECLINED", details: { reason: "no_elicitation" } } });
    expect(await isLive(id)).toBe(true);
  });

  it("are refused when headers and body disagree, and for an unknown version", async () => {
    expect(await post("tools/list", {}, { "mcp-method": "tools/call" })).toMatchObject({ status: 400 });
    const { status, body } = await post("server/discover", {}, { "mcp-protocol-version": "2099-01-01" });
    expect([status, body.error.code]).toEqual([400, expect.any(Number)]);
  });

  it("need a token like all others", async () => {
    const { status } = await post("server/discover", {}, { authorization: "Bearer nobody" });
    expect(status).toBe(401);
  });
});
