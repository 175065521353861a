import { ageOf, type Entry, MAX_AGE_MS, type OutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";

/** Number and age of waiting and refused calls in the outbox. */
export interface OutboxSummary {
  readonly entries: number;
  readonly oldestAt: string | undefined;
  readonly refused: number;
  /** Calls that wait for another backend. */
  readonly foreign: number;
  /** Calls that waited longer than a backend remembers idempotency keys; only the user may send them. */
  readonly tooOld: number;
  /** Reasons why files of waiting calls cannot be read; these files are left alone. */
  readonly unreadable: readonly ChestError[];
}

export async function summarise(folder: OutboxFolder, url: string | undefined): Promise<OutboxSummary> {
  const [ids, refused] = await Promise.all([folder.waiting(), folder.refused()]);
  const read = await readEach(ids, folder.read);
  const waiting = read.flatMap(({ entry }) => entry ?? []);
  const unreadable = read.flatMap(({ error }) => error ?? []);
  return {
    entries: waiting.length + unreadable.length,
    oldestAt: waiting[0]?.queued_at,
    refused: refused.length,
    foreign: waiting.filter((entry) => url !== undefined && entry.url !== url).length,
    tooOld: waiting.filter((entry) => ageOf(entry, new Date()) > MAX_AGE_MS).length,
    unreadable,
  };
}

export interface ReadEntry {
  readonly id: string;
  /** Undefined when the file is gone, truncated or unreadable. */
  readonly entry: Entry | undefined;
  /** Reason why the file cannot be read. */
  readonly error: ChestError | undefined;
}

/** Reads every entry, in order of ids; an unreadable one does not hide the others. */
export const readEach = (ids: readonly string[], read: OutboxFolder["read"]): Promise<ReadEntry[]> =>
  Promise.all(
    ids.map(async (id) => {
      try {
        return { id, entry: await read(id), error: undefined };
      } catch (error) {
        if (!(error instanceof ChestError)) throw error;
        return { id, entry: undefined, error };
      }
    }),
  );
