import { ChestError } from "@chest/contracts";
import type { PendingQueue } from "@chest/core";
import { aCall, recordingEmbedder, TINY_IDENTITY, testHouse } from "@chest/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { type DrainOptions, drain } from "./drain.ts";

const A_MINUTE_MS = 60_000;

let house: ReturnType<typeof testHouse>;
let embedder: ReturnType<typeof recordingEmbedder>;
let told: number[][];
beforeEach(() => {
  house = testHouse({ active: TINY_IDENTITY });
  embedder = recordingEmbedder();
  told = [];
});

async function backlog(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content: `fact ${at}` };
    ids.push(Number((await house.executor.execute("chest_remember", fact, aCall())).memory_id));
  }
  house.clock.advance(A_MINUTE_MS);
  return ids;
}

const run = (over: Partial<DrainOptions> = {}) =>
  drain({
    ...{ queue: house.engine.pending, embedder, batchSize: 3, concurrency: 1, patienceMs: 10 },
    onProgress: (done, remaining) => void told.push([done, remaining]),
    ...over,
  });

describe("draining a backlog", () => {
  it("does each memory once, by four hands at once, and tells of each batch", async () => {
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

  it("says which are longer than the model reads", async () => {
    const [, long] = await backlog(2);
    const content = `fact 1 ${"and more ".repeat(20)}`;
    await house.executor.execute("chest_update_memory", { memory_id: long, content }, aCall());
    house.clock.advance(A_MINUTE_MS);
    embedder.reads = 50;
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 2, total_cut: 1, exit_code: 0 });
    expect(report.batches.flatMap(({ cut }) => cut)).toEqual([long]);
  });

  it("ends with 1 where others hold some and do not let go, and names how many", async () => {
    await backlog(5);
    const ask = { identity: TINY_IDENTITY, cursor: 0, limit: 2, leaseMs: A_MINUTE_MS, claimant: "another" };
    await house.engine.pending.claim(ask);
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 3, remaining: 2, exit_code: 1 });
  });

  it("ends with 1 where words change as fast as they are embedded", async () => {
    const [id] = await backlog(2);
    let version = 0;
    embedder.before = async (texts) => {
      if (texts.includes("fact 1") && texts.length === 1) return;
      const content = `version ${++version}`;
      await house.executor.execute("chest_update_memory", { memory_id: id, content }, aCall());
    };
    const { report } = await run();
    expect(report).toMatchObject({ total_processed: 1, total_skipped: 1, exit_code: 1 });
    expect(report.batches.flatMap(({ skipped }) => skipped)).toMatchObject([{ id }]);
  });

  it("ends with 2 where a vector is refused, and says which and why", async () => {
    const [id] = await backlog(3);
    const queue: PendingQueue = {
      ...house.engine.pending,
      claim: (asked) => house.engine.pending.claim(asked),
      release: (claimant, ids) => house.engine.pending.release(claimant, ids),
      async store(identity, pushes) {
        const refused = { id: id ?? 0, error: new ChestError("VALIDATION_ERROR", "no vector") };
        const stored = await house.engine.pending.store(
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

  it("ends with 2, and the reason, where the model is gone in the middle", async () => {
    await backlog(7);
    embedder.before = () => {
      if (embedder.passages.length > 0) embedder.isUsable = false;
    };
    const { report, error } = await run();
    expect(report).toMatchObject({ total_processed: 3, remaining: 4, exit_code: 2, error: { code: "UNAVAILABLE" } });
    expect(error?.hint).toBe("fetch it");
  });
});
