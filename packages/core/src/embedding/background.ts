import { randomUUID } from "node:crypto";
import { ChestError } from "@chest/contracts";
import type { Embedder, EmbedderFor, EmbedderState, EmbeddingIdentity } from "../ports/embedder.ts";
import type { EmbedSoon, PendingQueue, PendingText } from "../ports/pending.ts";
import { embedPending } from "./embed-pending.ts";
import { embedTexts } from "./embed-texts.ts";

export interface BackgroundLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface BackgroundOptions {
  /** The user did not choose this model: if it is absent, that is logged but is no warning. */
  readonly isOptional?: boolean | undefined;
  readonly queue: PendingQueue;
  readonly embedders: EmbedderFor;
  /** Identities to embed here now, the active one first; empty where another process embeds. */
  readonly wanted: () => Promise<readonly EmbeddingIdentity[]>;
  readonly log: BackgroundLog;
  /** Embeds each write right after it commits, if it has no vector yet. */
  readonly isAfterWrite: boolean;
  /** Searches for pending memories on a timer. */
  readonly isSweeping: boolean;
  readonly sweepEveryMs?: number | undefined;
  /** Most rows of one sweep. */
  readonly sweepLimit?: number | undefined;
  /** Time limit for embedding a text right after its write; then the queue takes over. */
  readonly afterWriteMs?: number | undefined;
  /** Pause per unit of time that a sweep spends on an identity. */
  readonly rest?: ((identity: EmbeddingIdentity) => number) | undefined;
  /** Called after a sweep that found no more pending texts of an identity. */
  readonly onSwept?: ((identity: EmbeddingIdentity) => Promise<void>) | undefined;
}

const SWEEP_EVERY_MS = 30_000;
const AFTER_WRITE_MS = 8_000;
const MAX_WAITING = 512;
const MAX_AT_ONCE = 16;
const CLOSING_MS = 500;

interface QueuedText extends PendingText {
  readonly until: number;
}

/**
 * Embeds in the background: recent writes first, then pending memories. Calls never wait for it. After a failure rows
 * stay pending, and the failure is logged once.
 */
export class BackgroundEmbedder {
  readonly #options: BackgroundOptions;
  readonly #claimant = randomUUID();
  readonly #stopping = new AbortController();
  #waiting: QueuedText[] = [];
  /** Whether the model is embedding recent writes now. */
  #isAtThem = false;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isSweepDue = false;
  #hasWorked = false;
  #said: string | undefined;

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  /** Embeds recently written texts after those that already wait. */
  readonly take: EmbedSoon = (texts) => {
    // More than this is left to the pending queue.
    const taken = this.#options.isAfterWrite ? texts.slice(0, MAX_WAITING - this.#waiting.length) : [];
    if (taken.length === 0) return;
    const until = performance.now() + (this.#options.afterWriteMs ?? AFTER_WRITE_MS);
    this.#waiting.push(...taken.map((text) => ({ ...text, until })));
    this.#run();
  };

  /** Starts to look for pending memories, now and on a timer that does not keep the process alive. */
  start(): void {
    if (!this.#options.isSweeping || this.#timer) return;
    this.#timer = setInterval(() => this.sweep(), this.#options.sweepEveryMs ?? SWEEP_EVERY_MS);
    this.#timer.unref();
    this.sweep();
  }

  /** Looks for pending memories once recent writes are embedded. */
  sweep(): void {
    if (!this.#options.isSweeping) return;
    this.#isSweepDue = true;
    this.#run();
  }

  /** Resolves when recent writes are embedded or given up, or when the time limit is reached. */
  async settle(limitMs: number): Promise<void> {
    const over = AbortSignal.timeout(limitMs);
    while ((this.#waiting.length > 0 || this.#isAtThem) && this.#running && !over.aborted) {
      await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  }

  /** Stops at once; unfinished rows stay pending and are released to other processes. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    this.#waiting = [];
    // The timer keeps the process alive, because claimed rows must be released first.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSING_MS);
    });
    await Promise.race([this.#running, late]);
    clearTimeout(timer);
  }

  #run(): void {
    if (this.#stopping.signal.aborted) return;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      if (this.#waiting.length > 0 || this.#isSweepDue) this.#run();
    });
  }

  async #work(): Promise<void> {
    try {
      // Starts after the answer has left, so the caller does not wait for it.
      await new Promise((resolve) => setImmediate(resolve));
      this.#isAtThem = this.#waiting.length > 0;
      if (this.#isAtThem) await this.#embedWaiting();
      else if (this.#isSweepDue) await this.#sweepOnce();
    } catch (error) {
      this.#waiting = [];
      this.#isSweepDue = false;
      if (this.#stopping.signal.aborted) return;
      const code = error instanceof ChestError ? error.code : undefined;
      this.#sayOnce(code ?? "failed", { err: error }, "embedding failed; the memories stay pending");
    } finally {
      this.#isAtThem = false;
    }
  }

  /** A late vector is dropped, because another process may have claimed its row. */
  async #embedWaiting(): Promise<void> {
    const now = performance.now();
    const texts = this.#waiting.splice(0, MAX_AT_ONCE).filter(({ until }) => until > now);
    const [active] = await this.#options.wanted();
    const embedder = active && (await this.#usable(active));
    if (!embedder || texts.length === 0) return;
    const leftMs = Math.min(...texts.map(({ until }) => until)) - performance.now();
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(Math.max(1, Math.round(leftMs)))]);
    const { queue } = this.#options;
    const embedded = await embedTexts({ queue, embedder, signal }, texts);
    if (embedded) this.#sayCut(embedded.cut, active);
    if (embedded && embedded.failed.length === 0) return this.#isWell();
    if (this.#stopping.signal.aborted) return;
    const ids = embedded ? embedded.failed.map(({ id }) => id) : texts.map(({ id }) => id);
    const code = embedded?.failed[0]?.error.code ?? "late";
    this.#sayOnce(code, { ids, code }, "no vector in time; the memories stay pending");
  }

  async #sweepOnce(): Promise<void> {
    this.#isSweepDue = false;
    for (const identity of await this.#options.wanted()) {
      const embedder = await this.#usable(identity);
      if (embedder) await this.#sweepIdentity(identity, embedder);
    }
  }

  async #sweepIdentity(identity: EmbeddingIdentity, embedder: Embedder): Promise<void> {
    const { queue, log, sweepLimit, rest, onSwept } = this.#options;
    let stored = 0;
    const pause = new AbortController();
    const ended = await embedPending(queue, embedder, {
      claimant: this.#claimant,
      signal: AbortSignal.any([this.#stopping.signal, pause.signal]),
      limit: sweepLimit,
      rest: rest?.(identity),
      onBatch: (batch) => {
        stored += batch.stored.length;
        this.#sayCut(batch.cut, identity);
        const [failed] = batch.failed;
        if (failed) this.#sayOnce(failed.error.code, { ids: batch.failed.map(({ id }) => id) }, "not embedded");
        // Recent writes interrupt the sweep.
        if (this.#waiting.length > 0) pause.abort();
      },
    });
    if (stored > 0) log.info({ stored, model: identity.model, ended }, "embedded what was pending");
    if (ended === "no_vectors") this.#sayOnce("no_vectors", { model: identity.model }, "the model gives no vectors");
    if (stored > 0 && (ended === "limit" || pause.signal.aborted)) this.#isSweepDue = true;
    if (ended === "done") await onSwept?.(identity);
  }

  async #usable(identity: EmbeddingIdentity): Promise<Embedder | undefined> {
    const embedder = this.#options.embedders(identity);
    const state = await embedder.state();
    if (state.isUsable) {
      this.#hasWorked = true;
      return embedder;
    }
    const { reason, message, hint } = state;
    if (reason === "no_embedder") {
      const unknown = "this machine has another model than the one whose vectors are wanted";
      this.#sayOnce(reason, { reason, wanted: identity.model, hint: "set `CHEST_EMBED_MODEL` to it" }, unknown);
    } else this.#sayOnce(reason, { reason, hint }, message, isAbsent(state));
    return undefined;
  }

  #sayOnce(what: string, fields: Readonly<Record<string, unknown>>, message: string, isAbsence = false): void {
    if (this.#said === what) return;
    this.#said = what;
    const { log, isOptional } = this.#options;
    if (isOptional && isAbsence && !this.#hasWorked) log.info(fields, message);
    else log.warn(fields, message);
  }

  #sayCut(ids: readonly number[], { model }: EmbeddingIdentity): void {
    if (ids.length === 0) return;
    this.#options.log.info({ ids, model }, "longer than the model's limit: only their beginnings were embedded");
  }

  #isWell(): void {
    this.#said = undefined;
  }
}

/** Whether the model's files, or the packages that run it, are missing. */
export const isAbsent = (state: EmbedderState): boolean =>
  !state.isUsable && !state.isPartial && (state.reason === "no_model" || state.reason === "no_library");
