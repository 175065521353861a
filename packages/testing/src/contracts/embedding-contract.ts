import type { Caller } from "@chest/core/access";
import { pushVectors } from "@chest/core/embedding";
import { canonical, type Memory } from "@chest/core/memory";
import type { EmbeddingIdentity, Engine } from "@chest/core/ports";
import { describe, expect, it } from "vitest";
import { aCaller } from "../fakes.ts";
import type { Bench } from "./lists-contract.ts";

interface EmbeddingBench extends Bench {
  readonly engine: Engine;
}

const ALICE = aCaller({ member: { id: 11, name: "alice" }, project: "host/org/apple" });
const BOB = aCaller({ member: { id: 12, name: "bob" }, project: "host/org/apple" });
const FIRST: EmbeddingIdentity = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };
const OTHER: EmbeddingIdentity = { ...FIRST, revision: "2" };
const VECTOR = Float32Array.of(1, 0, 0, 0);
const A_MOMENT_MS = 1000;
const LEASE_MS = 60_000;

/** Requirements on embedding queues and identities. */
export function embeddingContract(bench: () => EmbeddingBench): void {
  const put = (memory: Memory, identity = FIRST) =>
    bench()
      .as(ALICE)
      .write((tx) => tx.vectors.put(memory, identity, VECTOR));
  const claim = (claimant: string, over: { limit?: number; cursor?: number; identity?: EmbeddingIdentity } = {}) => {
    const now = bench().clock.now().getTime();
    return (caller: Caller = ALICE) =>
      bench()
        .as(caller)
        .write((tx) =>
          tx.vectors.claim(over.identity ?? FIRST, {
            claimant,
            cursor: 0,
            limit: 50,
            ...over,
            until: new Date(now + LEASE_MS),
            writtenBefore: new Date(now - A_MOMENT_MS),
          }),
        );
  };
  /** Stored long enough ago that its writer no longer counts as embedding it. */
  const settled = async (count: number, over: object = {}) => {
    const memories: Memory[] = [];
    for (let at = 0; at < count; at++) memories.push(await bench().add(ALICE, { content: `fact ${at}`, ...over }));
    bench().clock.advance(2 * A_MOMENT_MS);
    return memories;
  };
  const idsOf = (memories: readonly Memory[]) => memories.map(({ id }) => id);

  it("stores many vectors, and lets whoever else asks come to their turn meanwhile", async () => {
    const pushes = idsOf(await settled(200)).map((id) => ({ id, vector: VECTOR, contentSha1: undefined }));
    let turns = 0;
    let next = setImmediate(function count() {
      turns += 1;
      next = setImmediate(count);
    });
    const results = await pushVectors(bench().as(ALICE), FIRST, pushes);
    clearImmediate(next);
    expect(results).toEqual(pushes.map(({ id }) => ({ id })));
    expect(turns).toBeGreaterThan(10);
  });

  describe("claims", () => {
    it("give nobody what another is at, and everybody what is left", async () => {
      const ids = idsOf(await settled(5));
      expect(await claim("one", { limit: 3 })()).toEqual(ids.slice(0, 3));
      expect(await claim("two", { limit: 3 })()).toEqual(ids.slice(3));
      expect(await claim("one")()).toEqual([]);
      expect(await claim("three", { identity: OTHER, cursor: ids[3] ?? 0 })()).toEqual(ids.slice(4));
    });

    it("come back when their lease is over, or when they are given back", async () => {
      const ids = idsOf(await settled(3));
      await claim("killed")();
      await bench()
        .as(ALICE)
        .write((tx) => tx.vectors.release("somebody else", ids));
      expect(await claim("next")()).toEqual([]);
      await bench()
        .as(ALICE)
        .write((tx) => tx.vectors.release("killed", ids.slice(2)));
      expect(await claim("next")()).toEqual(ids.slice(2));
      bench().clock.advance(LEASE_MS + A_MOMENT_MS);
      expect(await claim("later")()).toEqual(ids);
    });

    it("leave words to their writer at first, and end with a vector", async () => {
      const [memory] = await settled(1);
      const fresh = await bench().add(ALICE, { content: "just written" });
      if (!memory) throw new Error("one was stored");
      expect(await claim("one")()).toEqual([memory.id]);
      await put(memory);
      bench().clock.advance(2 * LEASE_MS);
      expect(await claim("one")()).toEqual([fresh.id]);
      const edited = await bench()
        .as(ALICE)
        .write((tx) => tx.memories.revise(memory, { text: canonical("other words") }));
      expect(await claim("two")()).toEqual([]);
      bench().clock.advance(2 * A_MOMENT_MS);
      expect(await claim("two")()).toEqual([edited.id]);
    });

    it("are for what has no vector of the active identity for its words", async () => {
      const [memory] = await settled(1);
      if (!memory) throw new Error("one was stored");
      const isEmbedded = (of: Memory) =>
        bench()
          .as(ALICE)
          .write((tx) => tx.vectors.isEmbedded(of));
      expect(await isEmbedded(memory)).toBe(false);
      await put(memory, OTHER);
      expect(await isEmbedded(memory)).toBe(false);
      await put(memory);
      expect(await isEmbedded(memory)).toBe(true);
      const edited = await bench()
        .as(ALICE)
        .write((tx) => tx.memories.revise(memory, { text: canonical("other words") }));
      expect(await isEmbedded(edited)).toBe(false);
    });

    it("reach no space that is closed to the caller, and the engine's own reach all of them", async () => {
      const ids = idsOf(await settled(2, { visibility: "private" }));
      expect(await claim("bob")(BOB)).toEqual([]);
      const ask = { identity: FIRST, cursor: 0, limit: 50, leaseMs: LEASE_MS, claimant: "own" };
      bench().clock.advance(LEASE_MS);
      const { items, remaining } = await bench().engine.pending.claim(ask);
      expect(items.map(({ id }) => id)).toEqual(ids);
      expect(items[0]).toMatchObject({ text: "fact 0", contentSha1: expect.stringMatching(/^[0-9a-f]{40}$/) });
      expect(remaining).toBe(2);
      const pushes = items.map(({ id, contentSha1 }) => ({ id, contentSha1, vector: VECTOR }));
      expect(await bench().engine.pending.store(FIRST, pushes)).toEqual(ids.map((id) => ({ id })));
      expect(await bench().as(ALICE).memories.countPending("everywhere", FIRST)).toBe(0);
    });
  });

  describe("the active identity", () => {
    const book = () => bench().engine.identities;
    const active = async () => (await book().current()).active;
    const pending = () => bench().as(ALICE).memories.countPending("everywhere", FIRST);

    it("changes at once in a store without vectors", async () => {
      await settled(2);
      expect(await book().begin(OTHER)).toEqual({ active: OTHER, next: undefined });
      expect(await bench().as(ALICE).identities()).toEqual({ active: OTHER, next: undefined });
    });

    it("stays until the next one covers the store, and a vector of the next leaves a row pending", async () => {
      const [one, two] = await settled(2);
      if (!one || !two) throw new Error("two were stored");
      await put(one);
      expect(await book().begin(OTHER)).toEqual({ active: FIRST, next: OTHER });
      await put(one, OTHER);
      expect(await book().settle()).toBe(false);
      await put(two, OTHER);
      expect(await pending()).toBe(1);
      expect(await book().shares()).toEqual([
        { identity: FIRST, done: 1 },
        { identity: OTHER, done: 2 },
      ]);
      expect(await book().settle()).toBe(true);
      expect(await book().current()).toEqual({ active: OTHER, next: undefined });
      expect(await bench().as(ALICE).memories.countPending("everywhere", OTHER)).toBe(0);
      expect(await book().settle()).toBe(false);
    });

    it("is kept when the change is called off, and only others' vectors are dropped", async () => {
      const [memory] = await settled(1);
      if (!memory) throw new Error("one was stored");
      const third = { ...FIRST, revision: "3" };
      for (const identity of [FIRST, OTHER, third]) await put(memory, identity);
      await book().begin(OTHER);
      expect(await book().dropOthers()).toBe(1);
      expect(await book().begin(FIRST)).toEqual({ active: FIRST, next: undefined });
      expect(await book().dropOthers()).toBe(1);
      expect(await active()).toEqual(FIRST);
      expect(await book().shares()).toEqual([{ identity: FIRST, done: 1 }]);
    });
  });
}
