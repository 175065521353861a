import { ChestError, type ErrorCode } from "@chest/contracts";
import type { PendingQueue } from "@chest/core/ports";
import { aCall, recordingEmbedder, TINY_IDENTITY, testExecutor } from "@chest/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { type DrainOptions, drain } from "./drain.ts";

const A_MINUTE_MS = 60_000;

let backend: Awaited<ReturnType<typeof testExecutor>>;
let embedder: ReturnType<typeof recordingEmbedder>;
let told: number[][];
beforeEach(async () => {
  backend = await testExecutor({ active: TINY_IDENTITY });
  embedder = recordingEmbedder();
  told = [];
});

async function backlog(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: `fact ${at}` };
    ids.push(Number((await backend.executor.execute("chest_remember", fact, aCall())).memory_id));
  }
  backend.clock.advance(A_MINUTE_MS);
  return ids;
}

const run = (over: Partial<DrainOptions> = {}) =>
  drain({
    queue: backend.engine.pending,
    embedder,
    batchSize: 3,
    concurrency: 1,
    patienceMs: 10,
    onProgress: (done, remaining) => void told.push([done, remaining]),
    ...over,
  });

describe("draining a backlog", () => {
  it("embeds each memory once, in four concurrent batches, and reports each batch", async () => {
    const ids = await backlog(40);
    const { report, error } = await run({ concurrency: 4 });
    expect(error).toBeUndefined();
    expect(report).toMatchObject({
      total_processed: 40,
      total_skipped: 0,
      total_failed: 0,
      remaining: 0,
      exit_code: 0,
    });
    expect(report.batches.flatMap(({ memory_ids }) => memory_ids).toSorted((a, b) => a - b)).toEqual(ids);
    expect(embedder.passages).toHaveLength(40);
    expect(told).toHaveLength(report.batches.length);
    expect(told.at(-1)?.[0]).toBe(40);
  });

  it("reports texts that are longer than the model reads", async () => {
    const [, long] = await backlog(2);
    const content = `fact 1 ${"and more ".repeat(20)}`;
    await backend.executor.execute("chest_update_memory", { memory_id: long, content }, aCall());
    backend.clock.advance(A_MINUTE_MS);
    embedder.reads = 50;
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 2, total_cut: 1, exit_code: 0 });
    expect(report.batches.flatMap(({ cut }) => cut)).toEqual([long]);
  });

  it("ends with 1 when others hold claims and do not release them, and says how many", async () => {
    await backlog(5);
    const ask = { identity: TINY_IDENTITY, cursor: 0, limit: 2, leaseMs: A_MINUTE_MS, claimant: "another" };
    await backend.engine.pending.claim(ask);
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 3, remaining: 2, exit_code: 1 });
  });

  it("ends with 1 when texts change as fast as they are embedded", async () => {
    const [id] = await backlog(2);
    let version = 0;
    embedder.before = async (texts) => {
      if (texts.includes("fact 1") && texts.length === 1) return;
      const content = `version ${++version}`;
      await backend.executor.execute("chest_update_memory", { memory_id: id, content }, aCall());
    };
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 1, total_skipped: 1, exit_code: 1 });
    expect(report.batches.flatMap(({ skipped }) => skipped)).toMatchObject([{ id }]);
  });

  it("ends with 2 when a vector is refused, and says which and why", async () => {
    const [id] = await backlog(3);
    const queue: PendingQueue = {
      ...backend.engine.pending,
      claim: (request) => backend.engine.pending.claim(request),
      release: (claimant, ids) => backend.engine.pending.release(claimant, ids),
      async store(identity, pushes) {
        const refused = { id: id ?? 0, error: new ChestError("VALIDATION_ERROR", "no vector") };
        const stored = await backend.engine.pending.store(
          identity,
          pushes.filter((push) => push.id !== id),
        );
        return pushes.some((push) => push.id === id) ? [refused, ...stored] : stored;
      },
    };
    const { report } = await run({ queue });
    expect(report).toMatchObject({ total_processed: 2, total_failed: 1, exit_code: 2 });
    expect(report.batches.flatMap(({ failed }) => failed)).toMatchObject([{ id, error: expect.any(String) }]);
  });

  /** Makes a queue that fails when the first vectors are stored, and counts its calls. */
  function refusing(code: ErrorCode, { perRow = false, isLost = false } = {}) {
    const asked = { claims: 0, stores: 0 };
    const { pending } = backend.engine;
    const queue: PendingQueue = {
      claim(ask) {
        if (isLost && asked.stores > 0) throw new ChestError(code, "not now");
        asked.claims++;
        return pending.claim(ask);
      },
      release: (claimant, ids) => pending.release(claimant, ids),
      async store(_, pushes) {
        asked.stores++;
        const error = new ChestError(code, "not now", { details: { retry_after_ms: 1 } });
        if (!perRow) throw error;
        return pushes.map(({ id }) => ({ id, error }));
      },
    };
    return { queue, asked };
  }
  const claimable = async () => {
    const ask = { identity: TINY_IDENTITY, cursor: 0, limit: 200, leaseMs: 1, claimant: "another" };
    return (await backend.engine.pending.claim(ask)).items.length;
  };

  it("releases all its claims, and says what remains, when a run fails", async () => {
    await backlog(9);
    const { queue } = refusing("STORAGE_FULL");
    const { report, error } = await run({ queue, concurrency: 2 });
    expect(report).toMatchObject({ total_processed: 0, remaining: 9, exit_code: 2, error: { code: "STORAGE_FULL" } });
    expect(error?.code).toBe("STORAGE_FULL");
    expect(await claimable()).toBe(9);
  });

  it("says that the number of remaining memories is unknown when no backend answers", async () => {
    await backlog(5);
    const { queue } = refusing("BACKEND_UNREACHABLE", { isLost: true });
    const { report } = await run({ queue, maxRetry: 0 });
    expect(report).toMatchObject({ remaining: null, exit_code: 2 });
  });

  it.each(["UNAUTHORIZED", "FORBIDDEN", "CLIENT_TOO_OLD"] as const)(
    "stops at the first %s, even of a single row",
    async (code) => {
      await backlog(9);
      const { queue, asked } = refusing(code, { perRow: true });
      const { report, error } = await run({ queue });
      expect(error?.code).toBe(code);
      expect(report.exit_code).toBe(2);
      expect(asked.stores).toBe(1);
      expect(await claimable()).toBe(9);
    },
  );

  it.each([0, 3])("repeats a call of a busy backend as often as configured: %i", async (maxRetry) => {
    await backlog(2);
    const { queue, asked } = refusing("UNAVAILABLE");
    await run({ queue, maxRetry });
    expect(asked.stores).toBe(1 + maxRetry);
  });

  it("ends with 2, and the reason, when the model disappears during the run", async () => {
    await backlog(7);
    embedder.before = () => {
      if (embedder.passages.length > 0) embedder.isUsable = false;
    };
    const { report, error } = await run();
    expect(report).toMatchObject({ total_processed: 3, remaining: 4, exit_code: 2, error: { code: "UNAVAILABLE" } });
    expect(error?.hint).toBe("fetch it");
  });
});
