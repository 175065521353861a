import { BackgroundEmbedder, isSameIdentity, outgrowsTable, TABLE_IDENTITY } from "@chest/core/embedding";
import { type EmbedderFor, type EmbedSoon, type Engine, noEmbedder } from "@chest/core/ports";
import { openEmbedders } from "@chest/models";
import type { Logger } from "@chest/runtime/logger";
import type { Config } from "./config.ts";
import { type QuestionListener, timedEmbedders } from "./metrics/timed-embedders.ts";

/** Embedding of this backend; `NO_EMBEDDING` where it is switched off. */
export interface Embedding {
  readonly embedders: EmbedderFor;
  /** Writes store memories without vectors; a later step or another process embeds them. */
  readonly leavesPending: boolean;
  /** Embeds in the background the memories that a write left without vectors. */
  readonly embedSoon: EmbedSoon;
  /** Calls the listener with the outcome of each query embedding, and with the time that it took. */
  onQuestion(listener: QuestionListener): void;
  /** Whether this backend can embed stored memories now: embedding is enabled, and the model works. */
  canEmbed(): Promise<boolean>;
  /** Describes the model for a health probe, without paths. */
  describe(): Promise<EmbeddingHealth>;
  start(): void;
  close(): Promise<void>;
}

export interface EmbeddingHealth {
  readonly provider: string;
  readonly model: string | null;
  readonly dim: number | null;
  /** `ok`, or the reason why there are no vectors. */
  readonly state?: string;
}

const NONE: EmbeddingHealth = { provider: "none", model: null, dim: null };
// The model's files are checked at most once a second, however often the state is requested.
const LOOKED_AT_MS = 1000;
// Requests keep a quarter of a core while a sweep runs.
const REST = 0.3;
// Replacing the word table's vectors by the sentence model's is not urgent, since no search waits for it: it gets a
// fifth of a core.
const FILLING_REST = 4;

export const NO_EMBEDDING: Embedding = {
  embedders: () => noEmbedder,
  leavesPending: true,
  embedSoon: () => {},
  onQuestion: () => {},
  canEmbed: async () => false,
  describe: async () => NONE,
  start: () => {},
  close: async () => {},
};

export function openEmbedding(
  { choice, modelsDir, sentences, table, isAfterWrite, afterWriteMs, isSweeping, sweepLimit }: Config["embedding"],
  engine: Pick<Engine, "identities" | "pending">,
  log: Logger,
): Embedding {
  if (choice.isOff || (!isAfterWrite && !isSweeping)) return NO_EMBEDDING;
  const { identity: configured, model: named } = choice;
  const models = openEmbedders(choice, { modelsDir, sentences, table, log });
  const { identities, pending } = engine;
  let listener: QuestionListener | undefined;
  let isFilling = false;
  const background = new BackgroundEmbedder({
    queue: pending,
    embedders: models.of,
    log,
    isOptional: named === undefined,
    isAfterWrite,
    afterWriteMs,
    isSweeping,
    sweepLimit,
    rest: (identity) => (isFilling && isSameIdentity(identity, configured) ? FILLING_REST : REST),
    async wanted() {
      const current = await identities.current();
      const { active, next } = outgrowsTable(current, configured) ? await identities.begin(configured) : current;
      isFilling = next !== undefined && isSameIdentity(active, TABLE_IDENTITY);
      return next ? [active, next] : [active];
    },
    async onSwept(identity) {
      const { next } = await identities.current();
      if (!next || !isSameIdentity(identity, next) || !(await identities.settle())) return;
      log.info({ model: next.model }, "the new model's vectors cover the store: searches use it from now on");
    },
  });
  const state = lately(async () => {
    const { active } = await identities.current();
    return { active, state: await models.of(active).state() };
  });

  return {
    embedders: timedEmbedders(models.of, (...question) => listener?.(...question)),
    leavesPending: !isAfterWrite,
    embedSoon: background.take,
    onQuestion(to) {
      listener = to;
    },
    canEmbed: async () => (await state()).state.isUsable,
    async describe() {
      const { active, state: now } = await state();
      if (!now.isUsable) return { ...NONE, state: now.reason };
      const provider = active.model.split("/").at(-1) ?? active.model;
      return { provider, model: active.model, dim: active.dimensions, state: "ok" };
    },
    start() {
      background.start();
      void warnOfOtherModel();
    },
    async close() {
      await background.close();
      await models.close();
    },
  };

  /** Warns that the store keeps the model of its present vectors although another one is configured. */
  async function warnOfOtherModel(): Promise<void> {
    // Without a configured model, the store's own model is used.
    if (!named) return;
    const { active, next } = await identities.current();
    if (isSameIdentity(active, configured) || (next && isSameIdentity(next, configured))) return;
    const fields = { configured: configured.model, store: active.model, hint: "`chest-index reembed` changes it" };
    log.warn(fields, "the store has vectors of another model than the configured one, and keeps using those");
  }
}

/** Caches an answer for this time. */
function lately<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > LOOKED_AT_MS) last = { at: now, answer: ask() };
    return last.answer;
  };
}
