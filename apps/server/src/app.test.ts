import { ChestError } from "@chest/contracts";
import type { InjectOptions } from "fastify";
import { describe, expect, it, vi } from "vitest";
import { A_FACT, openApp } from "./testing/app.ts";
import { AUTHORIZATION } from "./testing/token.ts";

const REMEMBER = "/api/tools/chest_remember";
const TOO_LARGE = { content: "x".repeat(1_100_000) };

async function ask(options: InjectOptions, env = {}, before: readonly InjectOptions[] = []) {
  const { app } = await openApp(env);
  for (const earlier of before) await app.inject(earlier);
  const response = await app.inject(options);
  return { status: response.statusCode, headers: response.headers, code: response.json().error?.code };
}

describe("a request is refused for", () => {
  // Each request also fails every later check, so the answer shows the order of the checks.
  const everythingWrong = { ...TOO_LARGE, nothing: true };
  const oldClient = { "x-chest-client": "chest-memory/0.1.0; wire=1.4.9" };
  const noRights = { CHEST_API_TOKEN_SCOPES: "operate", CHEST_RATE_LIMIT: "1" };
  const readsOnce = { method: "GET", url: "/capabilities", headers: AUTHORIZATION } as const;

  it("its token first", async () => {
    const asked = { method: "POST", url: "/api/tools/nothing", headers: oldClient, payload: everythingWrong } as const;
    expect(await ask(asked, noRights)).toMatchObject({ status: 401, code: "UNAUTHORIZED" });
  });

  it("its route second", async () => {
    const headers = { ...AUTHORIZATION, ...oldClient };
    const tool = { method: "POST", url: "/api/tools/nothing", headers, payload: everythingWrong } as const;
    expect(await ask(tool, noRights)).toMatchObject({ status: 404, code: "UNKNOWN_TOOL" });
    expect(await ask({ ...tool, url: "/api/nothing" }, noRights)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("its scope third", async () => {
    const asked = {
      method: "POST",
      url: REMEMBER,
      headers: { ...AUTHORIZATION, ...oldClient },
      payload: everythingWrong,
    } as const;
    expect(await ask(asked, noRights)).toMatchObject({ status: 403, code: "FORBIDDEN" });
  });

  it("its wire version fourth", async () => {
    const asked = {
      method: "POST",
      url: REMEMBER,
      headers: { ...AUTHORIZATION, ...oldClient },
      payload: everythingWrong,
    } as const;
    expect(await ask(asked, { CHEST_RATE_LIMIT: "1" }, [readsOnce])).toMatchObject({
      status: 426,
      code: "CLIENT_TOO_OLD",
    });
  });

  it("its rate fifth", async () => {
    const asked = { method: "POST", url: REMEMBER, headers: AUTHORIZATION, payload: everythingWrong } as const;
    const { status, code, headers } = await ask(asked, { CHEST_RATE_LIMIT: "1" }, [readsOnce]);
    expect({ status, code }).toEqual({ status: 429, code: "RATE_LIMITED" });
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  });

  it("its size sixth", async () => {
    const asked = {
      method: "POST",
      url: REMEMBER,
      headers: AUTHORIZATION,
      payload: `{${"x".repeat(1_100_000)}`,
    } as const;
    expect(await ask(asked)).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" });
  });

  it("malformed JSON seventh, and a schema mismatch last", async () => {
    const asked = { method: "POST", url: REMEMBER, headers: AUTHORIZATION } as const;
    expect(await ask({ ...asked, payload: "{" })).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
    expect(await ask({ ...asked, payload: { nothing: true } })).toMatchObject({
      status: 400,
      code: "VALIDATION_ERROR",
    });
  });
});

it("has the same envelope for every failure, and no CORS headers for a foreign browser", async () => {
  const { app } = await openApp();
  for (const url of ["/nothing", "/api/nothing", "/api/%zz", "/%zz", "/memories/pending", "/mcp", "/capabilities/"]) {
    for (const method of ["GET", "POST", "PUT", "OPTIONS", "DELETE"] as const) {
      const response = await app.inject({ method, url });
      expect(response.json(), `${method} ${url}`).toMatchObject({ ok: false, error: { code: expect.any(String) } });
      expect(response.headers).not.toHaveProperty("access-control-allow-origin");
    }
  }
});

it.each([
  ["/api", 401],
  ["/api/nothing", 401],
  ["/api/%zz", 401],
  ["/memories/1/embedding", 401],
  ["/diagnostics/db", 401],
  ["/metrics", 401],
  ["/apis", 404],
  ["/nothing", 404],
  ["/", 200],
])("answers GET %s without a token with %i", async (url, status) => {
  expect(await ask({ url })).toMatchObject({ status });
});

it("takes paths exactly: no trailing slash, no other case, no other method", async () => {
  for (const url of ["/healthz/", "/Healthz", "//healthz"]) expect(await ask({ url })).toMatchObject({ status: 404 });
  expect(await ask({ method: "POST", url: "/healthz" })).toMatchObject({ status: 404 });
  expect(await ask({ url: REMEMBER, headers: AUTHORIZATION })).toMatchObject({ status: 404, code: "NOT_FOUND" });
  expect(await ask({ method: "POST", url: `${REMEMBER}/`, headers: AUTHORIZATION })).toMatchObject({ status: 404 });
});

it("answers HEAD where GET is", async () => {
  const { app } = await openApp();
  const response = await app.inject({ method: "HEAD", url: "/healthz" });

  expect(response.statusCode).toBe(200);
  expect(response.payload).toBe("");
});

it("never shows the message of an internal failure, but logs it", async () => {
  const execute = vi.fn().mockRejectedValue(new Error("SQLITE_ERROR near the stored text"));
  const { app, log } = await openApp({}, { executor: { execute } });
  const response = await app.inject({ method: "POST", url: REMEMBER, headers: AUTHORIZATION, payload: A_FACT });

  expect(response.statusCode).toBe(500);
  expect(response.payload).not.toContain("SQLITE");
  expect(response.json().error.details.request_id).toBe(response.headers["x-request-id"]);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ err: expect.any(Error) }), "request failed");
});

it("logs why the database does not answer, and tells the caller only that it does not", async () => {
  const cause = new Error("SQLITE_IOERR: /srv/chest.db");
  const execute = vi.fn().mockRejectedValue(new ChestError("UNAVAILABLE", "the database does not answer", { cause }));
  const { app, log } = await openApp({}, { executor: { execute } });
  const response = await app.inject({ method: "POST", url: REMEMBER, headers: AUTHORIZATION, payload: A_FACT });

  expect(response.statusCode).toBe(503);
  expect(response.headers["retry-after"]).toBe("1");
  expect(response.payload).not.toContain("SQLITE");
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ err: cause }), "request failed");
});
