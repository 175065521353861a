import { expect, it } from "vitest";
import { A_FACT, openApp } from "../testing/app.ts";
import { AUTHORIZATION, TOKEN } from "../testing/token.ts";

const REMEMBER = { method: "POST", url: "/api/tools/chest_remember?secret=in-the-query" } as const;

it("echoes a request id, also on failures, and makes one where there is none", async () => {
  const { app } = await openApp();
  const given = { "x-request-id": "trace-1.A_b" };

  for (const url of ["/healthz", "/capabilities", "/nothing", "/api/%zz", "/docs"]) {
    expect((await app.inject({ url, headers: given })).headers["x-request-id"]).toBe("trace-1.A_b");
  }
  expect((await app.inject("/healthz")).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

it.each(["", "with space", "ä", "x".repeat(129), "a/b"])("makes its own instead of `%.10s`", async (id) => {
  const { app } = await openApp();
  const headers = { "x-request-id": Buffer.from(id).toString("latin1") };

  expect((await app.inject({ url: "/healthz", headers })).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

it("writes one line per request, without any of its content", async () => {
  const { app, log } = await openApp();
  await app.inject({ ...REMEMBER, headers: { ...AUTHORIZATION, "x-request-id": "r-1" }, payload: A_FACT });
  const lines = log.info.mock.calls.filter(([, message]) => message === "request");

  expect(lines).toEqual([
    [
      {
        method: "POST",
        route: "/api/tools/chest_remember",
        status: 200,
        ms: expect.any(Number),
        requestId: "r-1",
        member: "shared",
      },
      "request",
    ],
  ]);
  expect(JSON.stringify(log.info.mock.calls)).not.toMatch(new RegExp(`autumn|in-the-query|${TOKEN}`));
});

it("logs no path that is not one of its routes", async () => {
  const { app, log } = await openApp();
  await app.inject("/a-path-that-says-something");

  expect(log.info).toHaveBeenCalledWith(expect.objectContaining({ route: "none", status: 404 }), "request");
});
