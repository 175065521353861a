import { type Caller, localCaller, type Member, SHARED } from "@chest/core/access";
import type { Call, HostPorts } from "@chest/core/executor";
import { type Clock, type Embedder, type EmbeddingIdentity, noEmbedder } from "@chest/core/ports";
import { DEFAULT_RANKING } from "@chest/core/recall";
import { DEFAULT_LIMITS } from "@chest/core/tool";

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

/** An embedder that keeps what it was given, gives every text a vector of its own, and can be told to fail. */
export interface RecordingEmbedder extends Embedder {
  /** Every passage, in the order it was embedded. */
  readonly passages: string[];
  /** Runs before each batch; an error that it throws becomes the model's failure. */
  before: (texts: readonly string[]) => Promise<void> | void;
  /** Texts of more characters are cut. */
  reads: number;
  isUsable: boolean;
}

export function recordingEmbedder(identity = TINY_IDENTITY): RecordingEmbedder {
  const vectorOf = (text: string) =>
    Float32Array.from({ length: identity.dimensions }, (_, at) => text.length + at + 1);
  return {
    identity,
    passages: [],
    isUsable: true,
    before: () => undefined,
    reads: Number.POSITIVE_INFINITY,
    async state() {
      if (this.isUsable) return { isUsable: true };
      return { isUsable: false, reason: "no_model", message: "the model is gone", hint: "fetch it" };
    },
    async embedQuery(text) {
      return this.isUsable ? vectorOf(text) : undefined;
    },
    async embedPassages(texts, signal) {
      await this.before(texts);
      if (!this.isUsable || signal.aborted) return undefined;
      this.passages.push(...texts);
      return texts.map((text) => ({ vector: vectorOf(text), isCut: text.length > this.reads }));
    },
    close: async () => undefined,
  };
}
