import {
  BackgroundEmbedder,
  type EmbedderFor,
  type EmbedSoon,
  type Engine,
  isSameIdentity,
  noEmbedder,
  outgrowsTable,
  TABLE_IDENTITY,
  type Wrap,
} from "@chest/core";
import { openEmbedders } from "@chest/models";
import type { Logger } from "@chest/runtime/logger";
import type { Config } from "./config.ts";
import { type QuestionListener, timedEmbedders } from "./metrics/timed-embedders.ts";

/** Embedding of this backend: all of it, or none where it is switched off. */
export interface Embedding {
  readonly embedders: EmbedderFor;
  /** Writes do not embed: a later step or another process does. */
  readonly leavesPending: boolean;
  /** Embeds words that a write of several memories left without vectors. */
  readonly embedSoon: EmbedSoon;
  /** Called with how each question became a vector. */
  onQuestion(listener: QuestionListener): void;
  /** Takes what a write left without a vector. */
  readonly wrap: Wrap;
  /** Whether this backend embeds stored memories now: it is enabled, and the model works. */
  canEmbed(): Promise<boolean>;
  /** For a health probe, without paths. */
  describe(): Promise<EmbeddingHealth>;
  start(): void;
  close(): Promise<void>;
}

export interface EmbeddingHealth {
  readonly provider: string;
  readonly model: string | null;
  readonly dim: number | null;
  /** `ok`, or why there are no vectors. */
  readonly state?: string;
}

const NONE: EmbeddingHealth = { provider: "none", model: null, dim: null };
// A model's files are looked at once a second at most, however many ask.
const LOOKED_AT_MS = 1000;
// A sweep leaves a quarter of a core to requests.
const REST = 0.3;
// No question waits for the sentence model to take the table's place: a fifth of a core is enough.
const FILLING_REST = 4;

export const NO_EMBEDDING: Embedding = {
  embedders: () => noEmbedder,
  leavesPending: true,
  embedSoon: () => {},
  onQuestion: () => {},
  wrap: (next) => next,
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
    wrap: background.wrap,
    canEmbed: async () => (await state()).state.isUsable,
    async describe() {
      const { active, state: now } = await state();
      if (!now.isUsable) return { ...NONE, state: now.reason };
      const provider = active.model.split("/").at(-1) ?? active.model;
      return { provider, model: active.model, dim: active.dimensions, state: "ok" };
    },
    start() {
      background.start();
      void tellOfAnother();
    },
    async close() {
      await background.close();
      await models.close();
    },
  };

  /** A store keeps the model that it has vectors of, even if another one is configured. */
  async function tellOfAnother(): Promise<void> {
    // No model was named: the store's own is used.
    if (!named) return;
    const { active, next } = await identities.current();
    if (isSameIdentity(active, configured) || (next && isSameIdentity(next, configured))) return;
    const fields = { configured: configured.model, store: active.model, hint: "`chest-index reembed` changes it" };
    log.warn(fields, "the store has vectors of another model than the configured one, and keeps using those");
  }
}

/** Caches an answer for a while. */
function lately<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > LOOKED_AT_MS) last = { at: now, answer: ask() };
    return last.answer;
  };
}
