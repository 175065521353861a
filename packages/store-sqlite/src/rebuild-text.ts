import { SEGMENTER_VERSION, segment } from "@chest/core";
import Database from "better-sqlite3";
import { CannotOpen } from "./errors.ts";
import { OpeningLock } from "./opening-lock.ts";
import { type ScopedRow, scopeOfRow } from "./scope.ts";
import { vet } from "./vet.ts";

interface Row extends ScopedRow {
  readonly id: number;
  readonly content: string;
  readonly entity: string;
  readonly tags: string | null;
}

const PAGE = 500;

export interface Rebuilt {
  readonly memories: number;
  readonly seconds: number;
}

/** Makes every text row and the index anew from the memories. Wants the store to itself; throws `CannotOpen` else. */
export async function rebuildText(path: string): Promise<Rebuilt> {
  const startedAt = performance.now();
  const lock = new OpeningLock(path);
  try {
    if (!(await lock.take())) {
      throw new CannotOpen(
        `another process has ${path} open`,
        "stop the backend, and whatever else opens this store; then run it again",
      );
    }
    vet(path);
    const db = new Database(path, { fileMustExist: true });
    try {
      db.pragma("secure_delete = ON");
      const memories = db.transaction(() => rebuild(db)).immediate();
      return { memories, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
    } finally {
      db.close();
    }
  } finally {
    lock.release();
  }
}

function rebuild(db: Database.Database): number {
  db.exec("DELETE FROM memory_text");
  const page = db.prepare(
    `SELECT m.id, m.content, m.space, m.archived_at, m.superseded_by_id, e.name AS entity,
       (SELECT group_concat(tag, ' ') FROM memory_tags WHERE memory_id = m.id ORDER BY tag) AS tags
     FROM memories AS m JOIN entities AS e ON e.id = m.entity_id WHERE m.id > ? ORDER BY m.id LIMIT ${PAGE}`,
  );
  const add = db.prepare(
    "INSERT INTO memory_text (memory_id, scope, title, tags, words, grams) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const note = db.prepare("UPDATE memories SET segmenter_version = ? WHERE id = ?");
  let last = 0;
  let count = 0;
  for (let rows = page.all(last) as Row[]; rows.length > 0; rows = page.all(last) as Row[]) {
    for (const row of rows) {
      const { words, grams } = segment(row.content);
      add.run(row.id, scopeOfRow(row), joined(row.entity), joined(row.tags ?? ""), words, grams);
      note.run(SEGMENTER_VERSION, row.id);
      last = row.id;
      count += 1;
    }
  }
  db.exec("INSERT INTO memory_fts (memory_fts) VALUES ('rebuild')");
  return count;
}

function joined(text: string): string {
  const { words, grams } = segment(text);
  return `${words} ${grams}`.trim();
}
