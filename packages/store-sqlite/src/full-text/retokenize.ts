import { SEGMENTER_VERSION } from "@chest/core/text";
import type { Connection } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";
import { putTextRow, readTextRow, TEXT_SOURCES, type TextSource, textRowOf } from "./text-rows.ts";

/** Rows per step: some milliseconds, in which other writes wait. */
const AT_A_TIME = 50;

/**
 * Rebuilds text rows that are missing or from another version of the segmenter, newest first, in small steps. The store
 * records completion, so that later starts skip it; an interrupted rebuild continues at the next start.
 */
export async function resegment(writer: Writer, connection: Connection, isClosing: () => boolean): Promise<number> {
  const done = connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'segmenter_version'");
  if (done?.value === SEGMENTER_VERSION) return 0;
  const newest = connection.get<{ id: number | null }>("SELECT max(id) AS id FROM memories")?.id ?? 0;
  let below = newest + 1;
  let made = 0;
  while (below > 0 && !isClosing()) {
    const from = below - AT_A_TIME;
    made += await writer.sweep(async (turn) => {
      const rows = connection.all<TextSource>(OUTDATED, from, below, SEGMENTER_VERSION);
      for (const row of rows) {
        const { id } = row;
        const old = readTextRow(connection, id);
        putTextRow(connection, (task) => turn.defer(() => task(connection)), id, old, textRowOf(row));
        connection.run("UPDATE memories SET segmenter_version = ? WHERE id = ?", SEGMENTER_VERSION, id);
      }
      return rows.length;
    });
    below = from;
  }
  if (below <= 0) await writer.sweep(async () => void connection.run(DONE, SEGMENTER_VERSION));
  return made;
}

const OUTDATED = `${TEXT_SOURCES} WHERE m.id >= ? AND m.id < ?
    AND (m.segmenter_version <> ? OR NOT EXISTS (SELECT 1 FROM memory_text WHERE memory_id = m.id))`;
const DONE = "INSERT OR REPLACE INTO meta (key, value) VALUES ('segmenter_version', ?)";
