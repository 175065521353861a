import fastify from "fastify";
import { describe, expect, it } from "vitest";

/** Security advisories about Fastify, each tried against the installed release. */
describe("the installed Fastify has the mend of", () => {
  it("GHSA-3m5p-2c4r-xxw2: a number of proxies is no reason to believe anybody's X-Forwarded-For", async () => {
    const app = fastify({ trustProxy: 1 as never });
    app.get("/", async ({ ip }) => ({ ip }));
    const answer = await app.inject({
      url: "/",
      remoteAddress: "203.0.113.9",
      headers: { "x-forwarded-for": "10.0.0.1" },
    });
    expect(answer.json()).toEqual({ ip: "203.0.113.9" });
  });

  it("GHSA-w2qp-rph6-63g4: what was coerced to be valid is what a handler gets, also of a body that is no object", async () => {
    const app = fastify();
    app.post("/", { schema: { body: { type: "integer", maximum: 9 } } }, async ({ body }) => ({ body }));
    const post = (payload: string) =>
      app.inject({ method: "POST", url: "/", headers: { "content-type": "application/json" }, payload });
    expect((await post('"7"')).json()).toEqual({ body: 7 });
    expect((await post('"70"')).statusCode).toBe(400);
  });
});
