import { tmpdir } from "node:os";
import { CannotOpen } from "@chest/core/ports";
import { openForeign } from "./foreign-file.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Reads facts, and relations if there are any, from a database of context-memory, without writing. */
export function readContextMemoryRows(path: string, scratch = tmpdir()): { facts: Rows; relations: Rows } {
  const { db, close } = openForeign(path, scratch, "context-memory");
  try {
    const tables = new Set(db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all());
    const rows = (table: string) => db.prepare(`SELECT * FROM "${table}" ORDER BY rowid`).all() as Rows;
    if (!tables.has("facts")) {
      throw new CannotOpen(
        `${path} is not a database of context-memory: it has no \`facts\``,
        "name its memory.db, such as ~/.claude/context-memory/memory.db; nothing was changed",
      );
    }
    return { facts: rows("facts"), relations: tables.has("relations") ? rows("relations") : [] };
  } finally {
    close();
  }
}
