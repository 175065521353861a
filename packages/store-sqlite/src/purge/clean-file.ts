import { setTimeout as sleep } from "node:timers/promises";
import type { PurgeRemainder } from "@chest/store/purge/purge";
import type { Connection } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";
import { mergeSome, PAGES } from "../full-text/merge-segments.ts";
import { copiesHolding } from "./backups-containing.ts";

const LOG_TRIES = 40;
const LOG_PAUSE_MS = 50;

export interface CleaningParts {
  readonly path: string;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly backupDir: string;
}

/** Removes deleted texts from the index and the log, and finds the copies that contain them. */
export async function cleanFile(
  { path, writing, writer, backupDir }: CleaningParts,
  uids: readonly string[],
): Promise<PurgeRemainder> {
  await cleanIndex(writer, writing);
  const isLogClean = await cleanLog(writer, writing);
  return { backups: await copiesHolding(path, backupDir, uids), isLogClean };
}

/** Empties the database's log, with retries, because another process's read keeps it. */
async function cleanLog(writer: Writer, writing: Connection): Promise<boolean> {
  for (let attempt = 0; attempt < LOG_TRIES; attempt += 1) {
    const [result] = await writer.between(() => writing.db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[]);
    if (result?.busy === 0) return true;
    await sleep(LOG_PAUSE_MS);
  }
  return false;
}

/**
 * Merges the text index into one segment, so that deleted words disappear from the file. In steps with other writes in
 * between: a million memories take a minute.
 */
async function cleanIndex(writer: Writer, writing: Connection): Promise<void> {
  for (let pages = -PAGES, hasMore = true; hasMore; pages = PAGES)
    hasMore = await writer.call(async () => mergeSome(writing, pages));
}
