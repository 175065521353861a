import type { Connection } from "../database/connection.ts";
import { isOfTextIndex } from "../database/sqlite-errors.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../database/write-queue.ts";
import { beginFilling, endFilling, fillOn, isSampleFound, standingOf } from "../full-text/fts-index.ts";
import { type BackgroundCheck, checkUntilKnown } from "./integrity-check.ts";

/** Rows that are indexed in one piece: some milliseconds, in which other writes wait. */
const AT_A_TIME = 50;
/** A doubt that turned out to be none, or could not be looked into, is not looked into again at once. */
const AGAIN_AFTER_MS = 30_000;

export interface Mended {
  readonly path: string;
  readonly reader: Connection;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly log: StoreLog;
  /** Called when more than the index is damaged: then nothing may be written. */
  onDamage(damage: string): void;
}

/**
 * Makes the full-text index anew where it is damaged, or of a version that is not known: its rows are in a table of their
 * own, and are the truth. Through the writer, a few rows at a time, once the rest of the file was found whole. Recall goes
 * without words until it is done; a start in the middle goes on.
 */
export class IndexMender {
  readonly #parts: Mended;
  #work: Promise<void> | undefined;
  #notBefore = 0;
  #isClosing = false;
  #looking: BackgroundCheck | undefined;

  constructor(parts: Mended) {
    this.#parts = parts;
  }

  /**
   * Looks at how the index stands when a store is opened: a millisecond. Resolves at once, or when writes no longer meet
   * a damaged one.
   * @param isVetted the rest of the file was looked through already
   */
  async check(isVetted: boolean): Promise<void> {
    const { reader } = this.#parts;
    if (standingOf(reader).isFilling) void this.#run(() => this.#fill());
    else if (!isFound(reader)) await (isVetted ? this.mend() : this.doubt());
  }

  /** Something that was asked of the index failed: looks through the file, and mends the index where the rest is whole. */
  readonly doubt = (): void => {
    if (Date.now() >= this.#notBefore) void this.#run(() => this.#look(true));
  };

  /** Something about the file may be wrong: looks through it. Resolves once it is known how it is. */
  readonly examine = (): Promise<void> =>
    new Promise((resolve) => void this.#run(() => this.#look(false, resolve)).then(resolve));

  /** Starts a repair after a check that found the rows whole and the index damaged. Resolves once the index is empty. */
  mend(): Promise<void> {
    return new Promise((resolve) => void this.#run(() => this.#mend(resolve)).then(resolve));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#looking?.stop();
    await this.#work;
  }

  /** Resolves when this work has ended, or the one that is at it already. */
  #run(work: () => Promise<void>): Promise<void> {
    if (this.#isClosing) return Promise.resolve();
    this.#work ??= work()
      .catch((error: unknown) => {
        if (!this.#isClosing) this.#parts.log.warn({ err: error }, "the text index could not be rebuilt");
      })
      .finally(() => {
        this.#work = undefined;
        this.#notBefore = Date.now() + AGAIN_AFTER_MS;
      });
    return this.#work;
  }

  /** @param isOff the index is damaged, though a look may see no fault in it */
  async #look(isOff: boolean, onKnown?: () => void): Promise<void> {
    const { path, log, onDamage } = this.#parts;
    const onTrouble = (trouble: string) => log.warn({ trouble }, "the store could not be checked, and seems damaged");
    this.#looking = checkUntilKnown(path, onTrouble);
    const verdict = await this.#looking.verdict;
    if ("damage" in verdict) onDamage(verdict.damage);
    else if (isOff || verdict.soundness === "without index") await this.#mend(onKnown);
  }

  async #mend(onBegun?: () => void): Promise<void> {
    const { writer, writing, log } = this.#parts;
    log.warn({}, "the text index is damaged: it is rebuilt from the rows, and recall goes without words meanwhile");
    await writer.sweep(async () => beginFilling(writing));
    onBegun?.();
    await this.#fill();
  }

  async #fill(): Promise<void> {
    const { writer, writing, log } = this.#parts;
    const startedAt = performance.now();
    for (let last: number | undefined = 0; last !== undefined; ) {
      if (this.#isClosing) return;
      const from: number = last;
      last = await writer.sweep(async () => fillOn(writing, from, AT_A_TIME));
    }
    await writer.sweep(async () => endFilling(writing));
    const rows = writing.get<{ n: number }>("SELECT count(*) AS n FROM memory_text")?.n ?? 0;
    log.warn({ rows, ms: Math.round(performance.now() - startedAt) }, "the text index was rebuilt");
  }
}

function isFound(reader: Connection): boolean {
  try {
    return isSampleFound(reader);
  } catch (error) {
    if (isOfTextIndex(error)) return false;
    throw error;
  }
}
