import { CannotOpen } from "@chest/core/ports";
import { SEGMENTER_VERSION } from "@chest/core/text";
import { Connection } from "../database/connection.ts";
import { beginFilling, endFilling, fillOn } from "../full-text/fts-index.ts";
import { TEXT_SOURCES, type TextSource, textRowOf } from "../full-text/text-rows.ts";
import { openable } from "../store-file/explain-open-error.ts";
import { assertNotLost, backupsBeside } from "../store-file/missing-store-guard.ts";
import { OpeningLock } from "../store-file/schema-lock.ts";
import { checkIntegrity } from "./integrity-check.ts";

const PAGE = 500;

export interface Rebuilt {
  readonly memories: number;
  readonly seconds: number;
}

/**
 * Rebuilds every text row and the index from the memories. Needs exclusive access; otherwise it throws `CannotOpen`.
 */
export async function rebuildText(path: string, backupDir = backupsBeside(path)): Promise<Rebuilt> {
  const startedAt = performance.now();
  assertNotLost(path, backupDir);
  const lock = new OpeningLock(path);
  try {
    if (!(await lock.take())) {
      throw new CannotOpen(
        `another process has ${path} open`,
        "stop the backend, and every other process that opens this store; then run it again",
      );
    }
    await openable(path, backupDir, () => checkIntegrity(path));
    const connection = new Connection(path);
    try {
      const memories = connection.db.transaction(() => rebuild(connection)).immediate();
      return { memories, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
    } finally {
      connection.close();
    }
  } finally {
    lock.release();
  }
}

function rebuild(connection: Connection): number {
  const { db } = connection;
  beginFilling(connection);
  db.exec("DELETE FROM memory_text");
  const page = db.prepare(`${TEXT_SOURCES} WHERE m.id > ? ORDER BY m.id LIMIT ${PAGE}`);
  const add = db.prepare(
    "INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const note = db.prepare("UPDATE memories SET segmenter_version = ? WHERE id = ?");
  let last = 0;
  let count = 0;
  for (let rows = page.all(last) as TextSource[]; rows.length > 0; rows = page.all(last) as TextSource[]) {
    for (const row of rows) {
      const { scope, title, tags, words, grams } = textRowOf(row);
      add.run(row.id, scope, title, tags, words, grams);
      note.run(SEGMENTER_VERSION, row.id);
      last = row.id;
      count += 1;
    }
  }
  fillOn(connection, 0, Number.MAX_SAFE_INTEGER);
  endFilling(connection);
  return count;
}
