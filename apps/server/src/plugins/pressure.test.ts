import { setTimeout as sleep } from "node:timers/promises";
import Fastify, { type FastifyPluginAsync } from "fastify";
import { expect, it, vi } from "vitest";
import { openSqliteApp } from "../testing/sqlite-app.ts";
import { addErrors } from "./errors.ts";
import { addPressure } from "./pressure.ts";

/** Uses the processor for this long, measured in time of this thread, so other programs do not matter. */
function stall(ms: number): void {
  const worked = () => process.threadCpuUsage().user + process.threadCpuUsage().system;
  const end = worked() + ms * 1000;
  while (worked() < end);
}

/** Blocks the event loop without using the processor, as when other programs keep it busy. */
function starve(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it("refuses work while the event loop is stalled, and nothing else", async () => {
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

it("accepts work after a stall in which other programs had the processor", async () => {
  const app = Fastify();
  const work: FastifyPluginAsync = async (scope) => {
    await addPressure(scope, { maxEventLoopDelayMs: 50, graceMs: 0 });
    scope.get("/work", async () => ({ ok: true }));
  };
  await app.register(work);
  await app.ready();

  starve(1_200);
  await sleep(1);

  expect((await app.inject("/work")).statusCode).toBe(200);
  await app.close();
});

it("opens no file for its checks, so a process that may open no more goes on", async () => {
  const app = Fastify();
  const open = vi.spyOn(process, "memoryUsage").mockImplementation((() => {
    throw new Error("EMFILE: too many open files, uv_resident_set_memory");
  }) as never);
  await addPressure(app, { maxEventLoopDelayMs: 50 });
  await app.ready();
  await sleep(700);

  expect(open).not.toHaveBeenCalled();
  await app.close();
  open.mockRestore();
});

it.each([
  ["takes all work of the first seconds, in which it loads itself", 60_000, 200],
  ["turns work away afterwards", 0, 503],
])("%s", async (_, graceMs, status) => {
  const app = Fastify();
  const work: FastifyPluginAsync = async (scope) => {
    await addPressure(scope, { maxEventLoopDelayMs: 50, graceMs });
    scope.get("/work", async () => ({ ok: true }));
  };
  await app.register(work);
  addErrors(app, { log: { error: () => {} } });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });

  stall(800);

  expect((await fetch(`${url}/work`)).status).toBe(status);
  await app.close();
});

it("says of a refused write that nothing was done, and stores it once when it is repeated", async () => {
  const backend = await openSqliteApp({}, { maxEventLoopDelayMs: 50 });
  const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: "The smew dives at noon." };
  const remember = () => backend.post("/api/tools/chest_remember", fact, { headers: { "idempotency-key": "smew-1" } });
  try {
    stall(800);
    await sleep(1);
    const refused = await remember();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "2"]);
    expect(refused.body).toEqual({
      ok: false,
      error: expect.objectContaining({
        code: "UNAVAILABLE",
        message: expect.stringContaining("nothing was done"),
        details: { retry_after_ms: 2000 },
      }),
    });

    const { result } = (await calm(remember)).body;
    expect(result.memory_id).toBeGreaterThan(0);
    expect((await calm(remember)).body.result.memory_id).toBe(result.memory_id);
    const { memories } = (await calm(() => backend.get("/api/memories"))).body;
    expect(memories).toHaveLength(1);
  } finally {
    await backend.close();
  }
});

/** Repeats a request until the event loop is no longer considered stalled. */
async function calm<T extends { status: number }>(ask: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < 40; turn++) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    await sleep(250);
  }
  throw new Error("the event loop stays busy");
}
