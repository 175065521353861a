import { ChestError } from "@chest/contracts";
import { describe, expect, it, vi } from "vitest";
import { A_FACT, openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";
import { readJson } from "./json.ts";

const REMEMBER = { method: "POST", url: "/api/tools/chest_remember" } as const;
const LIST = { method: "POST", url: "/api/tools/chest_list_entities" } as const;

describe("readJson", () => {
  it.each([
    "null",
    "[]",
    '"x"',
    '{"a":[{"b":"\\""}]}',
    '{"a":"[[[[{{{{"}',
    '{"quote":"\\\\","b":"}"}',
    `${"[".repeat(64)}${"]".repeat(64)}`,
  ])("reads %s as JSON.parse does", (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  it.each(["", "{", "undefined", "{'a':1}", '{"a":1}}', '"open', '"\\'])("refuses %s without quoting it", (text) => {
    expect(() => readJson(text)).toThrow(ChestError);
    expect(() => readJson(text)).toThrow("the body is not JSON");
  });

  it.each([
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"a\\"":', "}]"],
  ])("refuses deep nesting at its 65th bracket, without parsing: %s", (open, close) => {
    const text = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const [reading, parsing] = [vi.spyOn(String.prototype, "charCodeAt"), vi.spyOn(JSON, "parse")];
    let refused: unknown;
    try {
      readJson(text);
    } catch (error) {
      refused = error;
    }
    const [read, parsed] = [reading.mock.calls.length, parsing.mock.calls.length];
    vi.restoreAllMocks();

    expect(refused).toMatchObject({ message: expect.stringContaining("nested deeper than 64 levels") });
    expect(read).toBeLessThanOrEqual(65 * open.length);
    expect(parsed).toBe(0);
  });

  it("refuses a key that would set a prototype, however it is written", () => {
    expect(() => readJson('{"__proto__":{"scopes":["admin"]}}')).toThrow("`__proto__`");
    expect(() => readJson('{"a":[{"\\u005f_proto__":1}]}')).toThrow("`__proto__`");
    expect(readJson('{"a":"__proto__"}')).toEqual({ a: "__proto__" });
  });
});

it.each([
  undefined,
  "application/json",
  "application/json; charset=utf-8",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "nonsense",
  ";;;",
])("reads JSON sent as %s", async (type) => {
  const { app } = await openApp();
  const headers = { ...AUTHORIZATION, ...(type === undefined ? {} : { "content-type": type }) };

  expect((await app.inject({ ...LIST, headers, payload: '{"limit":1}' })).json()).toMatchObject({ ok: true });
});

it.each(["gzip", "br", "deflate", "gzip, gzip", "nonsense"])(
  "refuses a body under the content encoding %s, on every route, and says so",
  async (encoding) => {
    const { app } = await openApp();
    for (const url of [LIST.url, "/api/hooks/sync-session", "/mcp"]) {
      const headers = { ...AUTHORIZATION, "content-encoding": encoding };
      const response = await app.inject({ method: "POST", url, headers, payload: '{"limit":1}' });
      expect(response.statusCode).toBe(400);
      expect(response.json().error).toMatchObject({
        code: "VALIDATION_ERROR",
        message: expect.stringContaining("compressed"),
        hint: expect.any(String),
      });
    }
    const plain = { ...AUTHORIZATION, "content-encoding": "identity" };
    expect((await app.inject({ ...LIST, headers: plain, payload: '{"limit":1}' })).json()).toMatchObject({ ok: true });
  },
);

it.each(["", "null", "[]", '"text"', "7", "not json", "{", `${"[".repeat(100_000)}${"]".repeat(100_000)}`])(
  "answers the body `%.20s` with VALIDATION_ERROR",
  async (payload) => {
    const { app } = await openApp();
    for (const headers of [AUTHORIZATION, { ...AUTHORIZATION, "content-type": "application/json" }]) {
      const response = await app.inject({ ...REMEMBER, headers, payload });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ ok: false, error: { code: "VALIDATION_ERROR" } });
    }
  },
);

it("stores text with NUL and lone surrogates as replacement characters", async () => {
  const { app } = await openApp();
  const payload = `{"entity_name":"n","entity_kind":"project","layer":"learning","content":"a\\u0000b\\ud800c \u{1f600} and more"}`;
  const stored = (await app.inject({ ...REMEMBER, headers: AUTHORIZATION, payload })).json();
  const recall = { ...LIST, url: "/api/tools/chest_recall", headers: AUTHORIZATION };
  const found = await app.inject({ ...recall, payload: { ids: [stored.result.memory_id] } });

  expect(found.json().result.memories[0].content).toBe("a\ufffdb\ufffdc \u{1f600} and more");
});

it("is not affected by keys that name a prototype", async () => {
  const { app } = await openApp();
  for (const payload of [`{"__proto__":{"force":true}}`, `{"constructor":{"prototype":{"admin":true}}}`]) {
    expect((await app.inject({ ...REMEMBER, headers: AUTHORIZATION, payload })).statusCode).toBe(400);
  }
  expect(({} as Record<string, unknown>).force ?? ({} as Record<string, unknown>).admin).toBeUndefined();
});

it("takes exactly 1 MiB", async () => {
  const { app } = await openApp();
  const send = (bytes: number) =>
    app.inject({ ...REMEMBER, headers: AUTHORIZATION, payload: JSON.stringify(A_FACT).padEnd(bytes) });

  expect((await send(1_048_576)).statusCode).toBe(200);
  const refused = await send(1_048_577);
  expect(refused.statusCode).toBe(413);
  expect(refused.json()).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE", details: { limit_bytes: 1_048_576 } } });
});

describe("a body that is not UTF-8", () => {
  const bytesOf = (hex: string) =>
    Buffer.concat([
      Buffer.from('{"entity_name":"acme","entity_kind":"project","layer":"learning","content":"'),
      Buffer.from(hex, "hex"),
      Buffer.from('"}'),
    ]);

  it.each([
    ["Shift-JIS", bytesOf("93fa967b8cea")],
    ["Latin-1", bytesOf("636166e9")],
    ["UTF-16", Buffer.from(`\ufeff${JSON.stringify(A_FACT)}`, "utf16le")],
  ])("is refused, and nothing of it is stored: %s", async (_, payload) => {
    const { app } = await openApp();
    const headers = { ...AUTHORIZATION, "content-type": "application/json; charset=shift_jis" };

    for (const url of ["/api/tools/chest_remember", "/api/hooks/prompt", "/memories/pending/claim", "/mcp"]) {
      const response = await app.inject({ method: "POST", url, headers, payload });
      expect(response.json()).toMatchObject({
        error: { code: "VALIDATION_ERROR", message: "the body is not UTF-8", hint: expect.stringContaining("iconv") },
      });
      expect(response.statusCode).toBe(400);
    }
    expect((await app.inject({ ...LIST, headers: AUTHORIZATION, payload: "{}" })).json().result.entities).toEqual([]);
  });

  it("is not one with a byte-order mark before it", async () => {
    const { app } = await openApp();
    const payload = `\ufeff${JSON.stringify(A_FACT)}`;
    expect((await app.inject({ ...REMEMBER, headers: AUTHORIZATION, payload })).json()).toMatchObject({ ok: true });
  });
});
