import { ageOf, type Entry, MAX_AGE_MS, type OutboxFolder } from "@chest/client";
import { ChestError } from "@chest/contracts";

/** Waiting and refused calls of the outbox, by count and age. */
export interface OutboxSummary {
  readonly entries: number;
  readonly oldestAt: string | undefined;
  readonly refused: number;
  /** Waiting, but for another backend than this one. */
  readonly foreign: number;
  /** Waiting for longer than a backend remembers keys: sent by hand only. */
  readonly tooOld: number;
  /** Why files of waiting calls cannot be read: those calls stay where they are. */
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
  /** Undefined when it is gone, torn or not to be read. */
  readonly entry: Entry | undefined;
  /** Why it cannot be read. */
  readonly error: ChestError | undefined;
}

/** Every entry, in the order of the ids; one that cannot be read hides none of the others. */
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
