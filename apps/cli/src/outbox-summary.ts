import { ageOf, type Entry, MAX_AGE_MS, type OutboxFolder } from "@chest/client";

/** What waits and what was refused, by count and age. */
export interface OutboxSummary {
  readonly entries: number;
  readonly oldestAt: string | undefined;
  readonly refused: number;
  /** Waiting, but for another backend than this one. */
  readonly foreign: number;
  /** Waiting for longer than a backend remembers keys: sent by hand only. */
  readonly tooOld: number;
}

export async function summarise(folder: OutboxFolder, url: string | undefined): Promise<OutboxSummary> {
  const [waiting, refused] = await Promise.all([readAll(folder), folder.refused()]);
  return {
    entries: waiting.length,
    oldestAt: waiting[0]?.queued_at,
    refused: refused.length,
    foreign: waiting.filter((entry) => url !== undefined && entry.url !== url).length,
    tooOld: waiting.filter((entry) => ageOf(entry, new Date()) > MAX_AGE_MS).length,
  };
}

/** Every waiting entry, oldest first. */
export async function readAll(folder: OutboxFolder): Promise<Entry[]> {
  const read = await Promise.all((await folder.waiting()).map((id) => folder.read(id)));
  return read.filter((entry) => entry !== undefined);
}
