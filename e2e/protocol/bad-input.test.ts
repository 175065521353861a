import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Backend, startBackend } from "../support/backend.ts";
import { census } from "../support/census.ts";
import { ask, restDoor } from "../support/clients/doors.ts";
import { type RawRequest, sendRaw } from "../support/clients/raw-http.ts";
import { report } from "../support/report.ts";
import { Stopwatch } from "../support/stopwatch.ts";

const REMEMBER = "/api/tools/chest_remember";
const MIB = 1024 * 1024;
const LEVELS = 100_000;
const A_FACT = {
  entity_name: "acme-api",
  entity_kind: "project",
  layer: "learning",
  content: "builds take four minutes",
};
const aCall = (fact: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "chest_remember", arguments: fact },
});

describe("invalid input", () => {
  let backend: Backend;
  const watch = new Stopwatch();

  beforeAll(async () => {
    backend = await startBackend();
    await ask(restDoor(backend), "chest_remember", A_FACT);
  });
  afterAll(() => backend.stop());

  const send = (what: string, path: string, { headers, ...request }: RawRequest, token = `Bearer ${backend.token}`) => {
    const accept = "application/json, text/event-stream";
    const all = { accept, ...(token === "" ? {} : { authorization: token }), ...headers };
    return watch.time(what, () => sendRaw(backend.url + path, { ...request, headers: all }));
  };

  describe.each([REMEMBER, "/mcp", "/capabilities", "/api/nowhere"])("a bad token on %s", (path) => {
    const TOKENS: Record<string, (right: string) => string> = {
      "no token": () => "",
      "no scheme": (right) => right,
      "another scheme": (right) => `Basic ${right}`,
      "a scheme alone": () => "Bearer",
      "a short one": () => "Bearer x",
      "a wrong one of the right length": (right) =>
        `Bearer ${right.replace(/.$/, (last) => (last === "0" ? "1" : "0"))}`,
      "the right one and something more": (right) => `Bearer ${right} ${right}`,
      "one of letters beyond ASCII": () => "Bearer \u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9",
    };

    it.each(Object.keys(TOKENS))("gets 401 and one message: %s", async (name) => {
      const method = path === "/capabilities" ? "GET" : "POST";
      const body = method === "GET" ? "" : JSON.stringify(A_FACT);
      const answer = await send(name, path, { method, body }, TOKENS[name]?.(backend.token));
      expect(answer.status).toBe(401);
      expect(answer.error).toEqual({
        code: "UNAUTHORIZED",
        message: expect.stringContaining("token"),
        hint: expect.stringContaining("Authorization: Bearer"),
      });
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer realm="chest"/);
      expect(answer.text).not.toContain(backend.token);
    });
  });

  const fact = JSON.stringify(A_FACT);
  const BODIES: Record<string, { status: number; code: string } & RawRequest> = {
    "no JSON": { body: "remember this", status: 400, code: "VALIDATION_ERROR" },
    "half of a JSON text": { body: fact.slice(0, 40), status: 400, code: "VALIDATION_ERROR" },
    "JSON of the wrong quotes": { body: "{'entity_name':'acme'}", status: 400, code: "VALIDATION_ERROR" },
    "nothing at all": { body: "", status: 400, code: "VALIDATION_ERROR" },
    null: { body: "null", status: 400, code: "VALIDATION_ERROR" },
    "a list": { body: `[${fact}]`, status: 400, code: "VALIDATION_ERROR" },
    "a string": { body: '"text"', status: 400, code: "VALIDATION_ERROR" },
    "a raw NUL": { body: fact.replace("four", "\u0000"), status: 400, code: "VALIDATION_ERROR" },
    "one byte too many": { body: Buffer.alloc(MIB + 1, 0x20), status: 413, code: "PAYLOAD_TOO_LARGE" },
    "a byte too many, in chunks": {
      body: Buffer.alloc(MIB + 1, 0x20),
      isChunked: true,
      status: 413,
      code: "PAYLOAD_TOO_LARGE",
    },
    "100,000 open lists": { body: "[".repeat(LEVELS), status: 400, code: "VALIDATION_ERROR" },
    "100,000 lists": { body: "[".repeat(LEVELS) + "]".repeat(LEVELS), status: 400, code: "VALIDATION_ERROR" },
    "100,000 objects": {
      body: `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`,
      status: 400,
      code: "VALIDATION_ERROR",
    },
    "a key `__proto__`": {
      body: `{"__proto__":{"importance":1},${fact.slice(1)}`,
      status: 400,
      code: "VALIDATION_ERROR",
    },
    "a key `__proto__` inside": {
      body: JSON.stringify(aCall(0)).replace(
        '"arguments":0',
        `"arguments":{"__proto__":{"force":true},${fact.slice(1)}`,
      ),
      status: 400,
      code: "VALIDATION_ERROR",
    },
  };

  describe.each([REMEMBER, "/mcp"])("a bad body on %s", (path) => {
    it.each(Object.keys(BODIES))("is refused and changes nothing: %s", async (name) => {
      const { status, code, ...request } = BODIES[name] ?? { status: 0, code: "" };
      const before = await census(restDoor(backend));
      const answer = await send(name, path, request);
      expect(answer).toMatchObject({ status, error: { code, hint: expect.stringMatching(/\w/) } });
      expect(await census(restDoor(backend))).toEqual(before);
    });
  });

  it.each([
    ["a NUL", '"be\\u0000fore"', "be\ufffdfore"],
    ["a lone surrogate", '"be\\ud800fore"', "be\ufffdfore"],
    ["the wrong half first", '"\\udc00\\ud800"', "\ufffd\ufffd"],
  ])("keeps a text with %s as text, over REST and over /mcp", async (name, written, kept) => {
    const mark = '"builds take four minutes"';
    const rest = await send(name, REMEMBER, { body: fact.replace(mark, written) });
    const mcp = await send(name, "/mcp", { body: JSON.stringify(aCall(A_FACT)).replace(mark, written) });
    expect([rest.status, mcp.status]).toEqual([200, 200]);
    const { memory_id } = JSON.parse(rest.text).result;
    const { memories } = await ask(restDoor(backend), "chest_recall", { ids: [memory_id] });
    expect(memories).toMatchObject([{ content: kept }]);
    expect(JSON.parse(mcp.text).result.structuredContent.memory_id).toBe(memory_id);
  });

  it("stores nothing of a text with invalid UTF-8", async () => {
    const body = Buffer.from(fact.replace("four", "f_ur"));
    body[body.indexOf("f_ur") + 1] = 0xff;
    const { status, text } = await send("no UTF-8", REMEMBER, { body });
    expect([status, JSON.parse(text).error.message]).toEqual([400, "the body is not UTF-8"]);
    const answer = await ask(restDoor(backend), "chest_recall", { query: "builds take minutes", limit: 50 });
    expect(JSON.stringify(answer)).not.toContain("f\ufffdur");
  });

  it("is answered quickly", () => {
    report("bad input over HTTP", watch.summary);
    expect(watch.slowestMs).toBeLessThan(1000);
  });
});
