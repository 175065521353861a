import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyPluginAsync } from "fastify";
import { expect, it } from "vitest";
import { addErrors } from "./errors.ts";
import { addPressure } from "./pressure.ts";

function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it("turns work away while the event loop is stalled, and nothing else", async () => {
  const app = Fastify();
  addErrors(app, { log: { error: () => {} } });
  app.get("/health", async () => ({ ok: true }));
  const work: FastifyPluginAsync = async (scope) => {
    await addPressure(scope, { maxEventLoopDelayMs: 50 });
    scope.get("/work", async () => ({ ok: true }));
  };
  await app.register(work);
  await app.ready();
  expect((await app.inject("/work")).statusCode).toBe(200);

  stall(800);
  await sleep(1);
  const refused = await app.inject("/work");

  expect(refused.statusCode).toBe(503);
  expect(refused.headers["retry-after"]).toBe("2");
  expect(refused.json()).toMatchObject({ error: { code: "UNAVAILABLE", details: { retry_after_ms: 2000 } } });
  expect((await app.inject("/health")).statusCode).toBe(200);
  await app.close();
});
