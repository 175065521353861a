import { aCall, recordingEmbedder, TINY_IDENTITY, testExecutor } from "@chest/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { PendingQueue } from "../ports/pending.ts";
import { type Batch, embedPending } from "./embed-pending.ts";

const A_MINUTE_MS = 60_000;

let backend: Awaited<ReturnType<typeof testExecutor>>;
let embedder: ReturnType<typeof recordingEmbedder>;
beforeEach(async () => {
  backend = await testExecutor({ active: TINY_IDENTITY });
  embedder = recordingEmbedder();
});

async function remember(...contents: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const content of contents) {
    const fact = { entity_name: "acme", entity_kind: "project", layer: "learning", content };
    ids.push(Number((await backend.executor.execute("chest_remember", fact, aCall())).memory_id));
  }
  return ids;
}

/** Facts whose writers are gone. */
async function backlog(count: number): Promise<number[]> {
  const ids = await remember(...Array.from({ length: count }, (_, at) => `fact ${at}`));
  backend.clock.advance(A_MINUTE_MS);
  return ids;
}

const pending = () => backend.engine.as(aCall()).memories.countPending("everywhere", TINY_IDENTITY);

const drain = (over: Partial<Parameters<typeof embedPending>[2]> = {}, queue: PendingQueue = backend.engine.pending) =>
  embedPending(queue, embedder, { claimant: "drain-one", signal: new AbortController().signal, ...over });

describe("draining what has no vector", () => {
  it("embeds every text once, whoever drains beside it", async () => {
    const ids = await backlog(60);
    const told: Batch[] = [];
    const onBatch = (batch: Batch) => void told.push(batch);
    await Promise.all(
      ["one", "two", "three"].map((name) => drain({ claimant: `drain-${name}`, batchSize: 7, onBatch })),
    );
    expect(embedder.passages.toSorted()).toEqual(ids.map((_, at) => `fact ${at}`).toSorted());
    expect(told.flatMap(({ stored }) => stored).toSorted((a, b) => a - b)).toEqual(ids);
    expect(await pending()).toBe(0);
  });

  it("takes the new words where they have changed in the middle, once", async () => {
    const [id] = await backlog(1);
    embedder.before = async ([text]) => {
      if (text !== "fact 0") return;
      await backend.executor.execute("chest_update_memory", { memory_id: id, content: "another fact" }, aCall());
    };
    expect(await drain()).toBe("done");
    expect(embedder.passages).toEqual(["fact 0", "another fact"]);
    expect(await pending()).toBe(0);
  });

  it("skips words that change a second time, and what is gone", async () => {
    const [changing, gone] = await backlog(2);
    let edits = 0;
    embedder.before = async () => {
      edits += 1;
      const content = `edit ${edits}`;
      await backend.executor.execute("chest_update_memory", { memory_id: changing, content }, aCall());
      await backend.executor.execute("chest_forget", { memory_id: gone }, aCall()).catch(() => {});
    };
    const told: Batch[] = [];
    await drain({ onBatch: (batch) => void told.push(batch) });
    expect(told).toMatchObject([
      {
        stored: [],
        failed: [],
        skipped: expect.arrayContaining([
          { id: gone, reason: "gone" },
          { id: changing, reason: "content_changed" },
        ]),
      },
    ]);
    expect(await pending()).toBe(1);
  });

  it("is not held up by a text that the model cannot take", async () => {
    const ids = await backlog(5);
    embedder.before = (texts) => {
      if (texts.includes("fact 3")) throw new Error("too much for me");
    };
    const told: Batch[] = [];
    expect(await drain({ onBatch: (batch) => void told.push(batch) })).toBe("done");
    expect(told[0]).toMatchObject({ failed: [{ id: ids[3], error: { code: "INTERNAL_ERROR" } }] });
    expect(told[0]?.stored).toHaveLength(4);
  });

  it("gives back what it claimed when the model is gone, so that others have it at once", async () => {
    await backlog(3);
    embedder.isUsable = false;
    expect(await drain()).toBe("no_vectors");
    embedder.isUsable = true;
    expect(await drain({ claimant: "drain-two" })).toBe("done");
    expect(embedder.passages).toHaveLength(3);
  });

  it("gives back what it claimed when its vectors are not taken, and says why", async () => {
    await backlog(3);
    const store = () => Promise.reject(new Error("no room"));
    await expect(drain({}, { ...backend.engine.pending, store })).rejects.toThrow("no room");
    expect(await drain({ claimant: "drain-two" })).toBe("done");
    expect(await pending()).toBe(0);
  });

  it("stops when told to, and at its limit", async () => {
    await backlog(40);
    expect(await drain({ batchSize: 5, limit: 12 })).toBe("limit");
    expect(await pending()).toBe(28);
    const stopping = new AbortController();
    expect(await drain({ batchSize: 5, signal: stopping.signal, onBatch: () => stopping.abort() })).toBe("stopped");
    expect(await pending()).toBe(23);
  });
});
