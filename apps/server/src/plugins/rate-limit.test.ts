import { localCaller, openAccessAdmin } from "@chest/core/access";
import { expect, it } from "vitest";
import { A_FACT, openApp } from "../testing/app.ts";
import { AUTHORIZATION } from "../testing/token.ts";

const LIST = { method: "POST", url: "/api/tools/chest_list_entities", headers: AUTHORIZATION, payload: {} } as const;
const REMEMBER = { method: "POST", url: "/api/tools/chest_remember", headers: AUTHORIZATION } as const;

it("refuses requests above the limit per minute, with the delay in the header and the details", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT: "2" });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await app.inject(LIST)).statusCode);
  const refused = await app.inject(LIST);
  const { error } = refused.json();

  expect(statuses).toEqual([200, 200, 429]);
  expect(error).toMatchObject({ code: "RATE_LIMITED", details: { retry_after_ms: expect.any(Number) } });
  expect(Number(refused.headers["retry-after"])).toBe(Math.ceil(error.details.retry_after_ms / 1000));
});

it("counts each token on its own, wherever it is used from", async () => {
  const { app, engine } = await openApp({ CHEST_RATE_LIMIT: "2" });
  const admin = openAccessAdmin(engine.access, localCaller(undefined), { now: () => new Date() });
  const [ann, ben] = await Promise.all(["ann", "ben"].map((member) => admin.createToken({ member, scopes: ["read"] })));
  const ask = async (who: { readonly token: string } | undefined, remoteAddress: string) =>
    (await app.inject({ ...LIST, headers: { authorization: `Bearer ${who?.token}` }, remoteAddress })).statusCode;

  expect([await ask(ann, "10.0.0.1"), await ask(ann, "10.0.0.2"), await ask(ann, "10.0.0.3")]).toEqual([200, 200, 429]);
  expect([await ask(ben, "10.0.0.1"), await ask(ben, "10.0.0.1"), await ask(ben, "10.0.0.1")]).toEqual([200, 200, 429]);
});

it("counts each address on its own where several clients share a token", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT: "1" });

  expect((await app.inject({ ...LIST, remoteAddress: "10.0.0.1" })).statusCode).toBe(200);
  expect((await app.inject({ ...LIST, remoteAddress: "10.0.0.2" })).statusCode).toBe(200);
  expect((await app.inject({ ...LIST, remoteAddress: "10.0.0.1" })).statusCode).toBe(429);
});

it("trusts a proxy about the address only when configured to", async () => {
  const from = (address: string) => ({ ...LIST, headers: { ...AUTHORIZATION, "x-forwarded-for": address } });
  const behind = (await openApp({ CHEST_RATE_LIMIT: "1", CHEST_TRUST_PROXY: "1" })).app;
  const open = (await openApp({ CHEST_RATE_LIMIT: "1" })).app;

  expect((await behind.inject(from("10.0.0.1"))).statusCode).toBe(200);
  expect((await behind.inject(from("10.0.0.2"))).statusCode).toBe(200);
  expect((await open.inject(from("10.0.0.1"))).statusCode).toBe(200);
  expect((await open.inject(from("10.0.0.2"))).statusCode).toBe(429);
});

it("trusts no client about its address that connects directly from a public network", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT: "1", CHEST_TRUST_PROXY: "1" });
  const claiming = (address: string, remoteAddress: string) =>
    app.inject({ ...LIST, remoteAddress, headers: { ...AUTHORIZATION, "x-forwarded-for": address } });

  expect((await claiming("10.0.0.1", "203.0.113.9")).statusCode).toBe(200);
  expect((await claiming("10.0.0.2", "203.0.113.9")).statusCode).toBe(429);
  // Behind a trusted proxy the last address of the header counts, which the proxy added itself.
  expect((await claiming("10.0.0.3, 203.0.113.7", "172.18.0.2")).statusCode).toBe(200);
  expect((await claiming("10.0.0.4, 203.0.113.7", "172.18.0.2")).statusCode).toBe(429);
});

it("has a second budget for writes", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT_WRITES: "1" });
  const write = (content: string) => app.inject({ ...REMEMBER, payload: { ...A_FACT, content } });

  expect((await write("the first fact of this test")).statusCode).toBe(200);
  expect((await write("the second fact of this test")).statusCode).toBe(429);
  expect((await app.inject(LIST)).statusCode).toBe(200);
});

it("spends the same budget over MCP, and tells the model so", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT_WRITES: "1" });
  const call = async (name: string, input: object) => {
    const answer = await app.inject({
      method: "POST",
      url: "/mcp",
      headers: { ...AUTHORIZATION, accept: "application/json, text/event-stream" },
      payload: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
    });
    return answer.json().result;
  };
  const write = (content: string) => call("chest_remember", { ...A_FACT, content });

  expect((await write("the first fact of this test")).isError).toBeUndefined();
  const { isError, content } = await write("the second fact of this test");
  expect([isError, JSON.parse(content[0].text)]).toMatchObject([true, { error: { code: "RATE_LIMITED" } }]);
  // Read as it is meant, this writes nothing.
  expect((await call("chest_work", { action: "LIST" })).isError).toBeUndefined();
});

it("has no limit at 0", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT: "0", CHEST_RATE_LIMIT_WRITES: "0" });
  for (let i = 0; i < 20; i++) expect((await app.inject(LIST)).statusCode).toBe(200);
});

it.each([
  ["/capabilities", 200],
  ["/api/%zz", 404],
])("limits wrong tokens by address, and lets the right one pass: %s", async (url, status) => {
  const { app } = await openApp();
  const guess = (remoteAddress: string) =>
    app.inject({ url, headers: { authorization: "Bearer wrong" }, remoteAddress });
  const statuses = new Map<number, number>();
  for (let i = 0; i < 70; i++) {
    const { statusCode } = await guess("10.0.0.1");
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }

  expect(Object.fromEntries(statuses)).toEqual({ 401: 60, 429: 10 });
  expect((await guess("10.0.0.1")).headers).toHaveProperty("retry-after");
  expect((await guess("10.0.0.2")).statusCode).toBe(401);
  const right = await app.inject({ url, headers: AUTHORIZATION, remoteAddress: "10.0.0.1" });
  expect(right.statusCode).toBe(status);
});

it("never counts the open routes", async () => {
  const { app } = await openApp({ CHEST_RATE_LIMIT: "1" });
  for (let i = 0; i < 5; i++) expect((await app.inject("/healthz")).statusCode).toBe(200);
});

it("counts wrong tokens once, whatever the path, and none where there is no token", async () => {
  const { app } = await openApp();
  const ask = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode;
  for (let i = 0; i < 70; i++) expect(await ask("/api/%zz")).toBe(401);
  for (let i = 0; i < 30; i++) {
    expect(await ask("/capabilities", { authorization: "Bearer wrong" })).toBe(401);
    expect(await ask("/api/%zz", { authorization: "Basic wrong" })).toBe(401);
  }
  expect(await ask("/capabilities", { authorization: "Bearer wrong" })).toBe(429);
});
