import type { Connection } from "./connection.ts";
import type { Writer } from "./writer.ts";

/** Pages of the index that are written in one piece: some milliseconds. */
const PAGES = 64;
/** So few changes mean that there was nothing to merge. */
const NOTHING = 2;

/**
 * Merges the text index into one, so that words that were taken out of it stand nowhere in the file. In pieces, so that
 * others write in between: a million memories take a minute.
 */
export async function cleanIndex(writer: Writer, writing: Connection): Promise<void> {
  const changes = () => writing.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  for (let pages = -PAGES, changed = NOTHING; changed >= NOTHING; pages = PAGES) {
    changed = await writer.call(async () => {
      const before = changes();
      writing.run("INSERT INTO memory_fts (memory_fts, rank) VALUES ('merge', ?)", pages);
      return changes() - before;
    });
  }
}
