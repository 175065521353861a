import type { Connection } from "../database/connection.ts";
import { isOfTextIndex } from "../database/sqlite-errors.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../database/write-queue.ts";
import { beginFilling, endFilling, fillOn, isSampleFound, standingOf } from "../full-text/fts-index.ts";
import { type BackgroundCheck, checkUntilKnown } from "./integrity-check.ts";

/** Rows indexed per step: some milliseconds, in which other writes wait. */
const AT_A_TIME = 50;
/** After a false or failed check, the next one waits for this time. */
const AGAIN_AFTER_MS = 30_000;

export interface Mended {
  readonly path: string;
  readonly reader: Connection;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly log: StoreLog;
  /** Called if more than the index is damaged: nothing may be written then. */
  onDamage(damage: string): void;
}

/**
 * Rebuilds the full-text index if it is damaged or of an unknown version; its rows are in a separate, authoritative
 * table. It works through the writer in small steps, after the rest of the file was checked. Until it is done, recall
 * works without words; an interrupted rebuild continues at the next start.
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
   * Checks the state of the index when a store is opened, in a millisecond. Resolves once writes are safe.
   * @param isVetted the rest of the file was checked before
   */
  async check(isVetted: boolean): Promise<void> {
    const { reader } = this.#parts;
    if (standingOf(reader).isFilling) void this.#run(() => this.#fill());
    else if (!isFound(reader)) await (isVetted ? this.mend() : this.doubt());
  }

  /** Called after a failed index operation: checks the file, and rebuilds the index if the rest is sound. */
  readonly doubt = (): void => {
    if (Date.now() >= this.#notBefore) void this.#run(() => this.#look(true));
  };

  /** Checks the file after a suspicion. Resolves with the result known. */
  readonly examine = (): Promise<void> =>
    new Promise((resolve) => void this.#run(() => this.#look(false, resolve)).then(resolve));

  /** Starts a rebuild after a check found only the index damaged. Resolves once the index is empty. */
  mend(): Promise<void> {
    return new Promise((resolve) => void this.#run(() => this.#mend(resolve)).then(resolve));
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#looking?.stop();
    await this.#work;
  }

  /** Resolves when this work, or the work already in progress, has ended. */
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

  /** @param isOff the index is known to be damaged, even if a check finds no fault */
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
