import fastify from "fastify";
import { describe, expect, it } from "vitest";

/** Security advisories about Fastify, each tried against the installed release. */
describe("the installed Fastify has the fix for", () => {
  it("GHSA-3m5p-2c4r-xxw2: a number of trusted proxies does not make it trust X-Forwarded-For from a public address", async () => {
    const app = fastify({ trustProxy: 1 as never });
    app.get("/", async ({ ip }) => ({ ip }));
    const answer = await app.inject({
      url: "/",
      remoteAddress: "203.0.113.9",
      headers: { "x-forwarded-for": "10.0.0.1" },
    });
    expect(answer.json()).toEqual({ ip: "203.0.113.9" });
  });

  it("GHSA-w2qp-rph6-63g4: a handler gets the validated value after coercion, even if the body is not an object", async () => {
    const app = fastify();
    app.post("/", { schema: { body: { type: "integer", maximum: 9 } } }, async ({ body }) => ({ body }));
    const post = (payload: string) =>
      app.inject({ method: "POST", url: "/", headers: { "content-type": "application/json" }, payload });
    expect((await post('"7"')).json()).toEqual({ body: 7 });
    expect((await post('"70"')).statusCode).toBe(400);
  });
});
