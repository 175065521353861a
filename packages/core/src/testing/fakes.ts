import { type Caller, localCaller } from "../access/caller.ts";
import { type Member, SHARED } from "../access/member.ts";
import type { Call, HostPorts } from "../executor.ts";
import type { Clock } from "../ports/clock.ts";
import { type Embedder, type EmbeddingIdentity, noEmbedder } from "../ports/embedder.ts";
import { DEFAULT_RANKING } from "../recall/ranking.ts";
import { DEFAULT_LIMITS } from "../tool.ts";

export type FixedClock = Clock & { advance(ms: number): void };

/** A clock that stands still until it is moved. */
export function fixedClock(start = new Date("2026-11-21T12:00:00Z")): FixedClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
  };
}

export function aCaller(over: Partial<Caller> & { readonly member?: Member } = {}): Caller {
  return { ...localCaller(undefined), member: SHARED, scopes: new Set(["read", "write", "operate"]), ...over };
}

export function aCall(over: Partial<Call> = {}): Call {
  return { caller: aCaller(), requestId: "test", signal: new AbortController().signal, ...over };
}

/** @param over ports of one's own; an embedder alone answers for every identity. */
export function testPorts({
  embedder = noEmbedder,
  ...over
}: Partial<HostPorts> & { readonly embedder?: Embedder } = {}): HostPorts & { readonly clock: FixedClock } {
  const usual = { embedders: () => embedder, limits: DEFAULT_LIMITS, ranking: DEFAULT_RANKING };
  return { ...usual, ...over, clock: fixedClock() };
}

export const TINY_IDENTITY: EmbeddingIdentity = { model: "test/tiny", revision: "1", dimensions: 4, pooling: "mean" };

/** An embedder that gives every text the vector it is set to; set to undefined it has none. */
export function tinyEmbedder(): Embedder & { vector: Float32Array | undefined } {
  return {
    identity: TINY_IDENTITY,
    vector: undefined,
    async state() {
      return this.vector
        ? { isUsable: true }
        : { isUsable: false, reason: "no_model", message: "unset", hint: "set it" };
    },
    async embedQuery() {
      return this.vector;
    },
    async embedPassages(texts) {
      const { vector } = this;
      return vector && texts.map(() => ({ vector, isCut: false }));
    },
    close: async () => undefined,
  };
}
