import type { Connection } from "../database/connection.ts";
import { isOfTextIndex } from "../database/sqlite-errors.ts";
import type { Writer } from "../database/write-queue.ts";
import { standingOf } from "./fts-index.ts";

/** Index pages written per step: some milliseconds. */
export const PAGES = 64;
/** A merge with at most this many changes had nothing to do. */
const NOTHING = 2;

/**
 * Merges some pages of the text index.
 * @param pages negative to merge into one segment.
 * @returns whether more may be left.
 */
export function mergeSome(writing: Connection, pages: number): boolean {
  const changes = () => writing.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  const before = changes();
  writing.run("INSERT INTO memory_fts (memory_fts, rank) VALUES ('merge', ?)", pages);
  return changes() - before >= NOTHING;
}

/**
 * Merges similar segments of the text index in the background: each commit adds a segment, writes merge only every
 * four, and a lookup reads each one. A million memories take ten seconds.
 */
export async function mergeIndex(writer: Writer, writing: Connection, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    let tookMs = 0;
    try {
      hasMore = await writer.sweep(async () => {
        if (standingOf(writing).isFilling) return false;
        const startedAt = performance.now();
        if (!writing.get("SELECT 1 FROM memory_fts_config WHERE k = 'usermerge' AND v = 2"))
          writing.run("INSERT INTO memory_fts (memory_fts, rank) VALUES ('usermerge', 2)");
        const isMore = mergeSome(writing, PAGES);
        tookMs = performance.now() - startedAt;
        return isMore;
      });
    } catch (error) {
      if (isOfTextIndex(error)) return; // The writer has said so: it is made anew.
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  }
}
