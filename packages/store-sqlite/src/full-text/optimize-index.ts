import type { Connection } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";
import { mergeSome, PAGES } from "./merge-segments.ts";

/**
 * Merges the text index into one segment, so that deleted words disappear from the file. In steps with other writes in
 * between: a million memories take a minute.
 */
export async function cleanIndex(writer: Writer, writing: Connection): Promise<void> {
  for (let pages = -PAGES, hasMore = true; hasMore; pages = PAGES)
    hasMore = await writer.call(async () => mergeSome(writing, pages));
}
