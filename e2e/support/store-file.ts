import Database from "better-sqlite3";

/** Opens a store's file directly, for reads and changes that no client can make. */
export function withStoreFile<T>(path: string, work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Lists the faults of a store that no process has open; empty when rows, texts and index agree. */
export function findFaults(path: string): string[] {
  return withStoreFile(path, (db) => {
    const faults = [...damages(db), ...Object.entries(HALVES).flatMap(([what, sql]) => counted(db, what, sql))];
    try {
      db.exec("INSERT INTO memory_fts (memory_fts, rank) VALUES ('integrity-check', 1)");
    } catch (error) {
      faults.push(`text index: ${error}`);
    }
    return faults;
  });
}

/** Queries that count rows a torn write would leave behind. */
const HALVES = {
  "memories without an entity": "SELECT count(*) FROM memories WHERE entity_id NOT IN (SELECT id FROM entities)",
  "memories without a text": "SELECT count(*) FROM memories WHERE id NOT IN (SELECT memory_id FROM memory_text)",
  "texts without a memory": "SELECT count(*) FROM memory_text WHERE memory_id NOT IN (SELECT id FROM memories)",
  "memories that are not in the index":
    "SELECT count(*) FROM memories WHERE id NOT IN (SELECT id FROM memory_fts_docsize)",
  "entries of the index without a memory":
    "SELECT count(*) FROM memory_fts_docsize WHERE id NOT IN (SELECT id FROM memories)",
  "entities without an event": "SELECT count(*) FROM entities WHERE id NOT IN (SELECT entity_id FROM events)",
  "memories more than events": `SELECT max(0, (SELECT count(*) FROM memories)
    - (SELECT count(*) FROM events WHERE kind = 'memory_stored'))`,
};

function damages(db: Database.Database): string[] {
  const verdicts = db.pragma("integrity_check") as { integrity_check: string }[];
  const orphans = db.pragma("foreign_key_check") as unknown[];
  const found = verdicts.map(({ integrity_check }) => integrity_check).filter((verdict) => verdict !== "ok");
  return orphans.length === 0 ? found : [...found, `${orphans.length} foreign keys lead nowhere`];
}

function counted(db: Database.Database, what: string, sql: string): string[] {
  const count = Number(db.prepare(sql).pluck().get());
  return count === 0 ? [] : [`${count} ${what}`];
}
