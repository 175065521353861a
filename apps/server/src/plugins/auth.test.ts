import { describe, expect, it } from "vitest";
import { openApp } from "../testing/app.ts";
import { AUTHORIZATION, TOKEN } from "../testing/token.ts";

const ASKED = { method: "GET", url: "/capabilities" } as const;
const ask = async (authorization: string | undefined) => {
  const { app } = await openApp();
  return app.inject({ ...ASKED, headers: authorization === undefined ? {} : { authorization } });
};

it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER ${TOKEN}`])(
  "accepts the scheme in any case: %s",
  async (header) => {
    expect((await ask(header)).statusCode).toBe(200);
  },
);

it.each([
  TOKEN,
  "Bearer",
  "Bearer ",
  `Bearer${TOKEN}`,
  `Basic ${TOKEN}`,
  `Bearer ${TOKEN}x`,
  `Bearer ${TOKEN.slice(1)}`,
  `Bearer ${"x".repeat(5000)}`,
  "Bearer ключ",
])("refuses `%s` with the same message as any other", async (header) => {
  const response = await ask(Buffer.from(header).toString("latin1"));

  expect(response.statusCode).toBe(401);
  expect(response.json()).toEqual((await ask(undefined)).json());
  expect(response.headers["www-authenticate"]).toBe('Bearer realm="chest", error="invalid_token"');
});

it("names no error when no token was given", async () => {
  expect((await ask(undefined)).headers["www-authenticate"]).toBe('Bearer realm="chest"');
});

describe("scopes", () => {
  const call = async (scopes: string, url: string, payload: object) => {
    const { app } = await openApp({ CHEST_API_TOKEN_SCOPES: scopes });
    return (await app.inject({ method: "POST", url: `/api/tools/${url}`, headers: AUTHORIZATION, payload })).json();
  };

  it("let a reading token read and nothing else", async () => {
    expect(await call("read", "chest_list_entities", {})).toMatchObject({ ok: true });
    expect(await call("read", "chest_forget", { memory_id: 1 })).toMatchObject({
      error: { code: "FORBIDDEN", details: { scope: "write" } },
    });
  });

  it("do not let a writing token read", async () => {
    expect(await call("write", "chest_list_entities", {})).toMatchObject({ error: { details: { scope: "read" } } });
  });
});

describe("the wire version", () => {
  const speak = async (header: string) => {
    const { app } = await openApp();
    return (await app.inject({ ...ASKED, headers: { ...AUTHORIZATION, "x-chest-client": header } })).statusCode;
  };

  it.each([
    ["chest-memory/0.1.0; wire=1.4.9", 426],
    ["chest-memory/0.1.0; wire=1.5.0", 200],
    ["chest-memory/0.1.0; wire=9.0.0", 200],
    ["chest-memory/0.1.0", 200],
    ["what does not parse is ignored", 200],
  ])("of `%s` gives %i", async (header, status) => {
    expect(await speak(header)).toBe(status);
  });
});
