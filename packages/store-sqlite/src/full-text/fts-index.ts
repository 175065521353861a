import type { Connection, Reading } from "../database/connection.ts";

/** State of the full-text index compared with its rows. */
export interface IndexStanding {
  /** Increases with each rebuild, so that cached data of an earlier index is discarded. */
  readonly generation: number;
  /** True during a rebuild: some rows are missing. */
  readonly isFilling: boolean;
}

type Writing = Pick<Connection, "db" | "get" | "run">;

export function standingOf(connection: Reading): IndexStanding {
  const kept = connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'text_index'")?.value ?? "0";
  return { generation: Number.parseInt(kept, 10), isFilling: kept.endsWith(FILLING) };
}

const FILLING = " filling";
const note = (connection: Writing, { generation, isFilling }: IndexStanding) =>
  connection.run(
    "INSERT OR REPLACE INTO meta (key, value) VALUES ('text_index', ?)",
    `${generation}${isFilling ? FILLING : ""}`,
  );

/** Empties the index, in any state: searches and other writers treat it as incomplete from now on. */
export function beginFilling(connection: Writing): void {
  const { generation } = standingOf(connection as Reading & Writing);
  note(connection, { generation: generation + 1, isFilling: true });
  repairSettings(connection);
  connection.run("INSERT INTO memory_fts (memory_fts) VALUES ('delete-all')");
  // The same settings as in the migrations.
  connection.run("INSERT INTO memory_fts (memory_fts, rank) VALUES ('secure-delete', 0)");
}

/** The format version that every supported SQLite reads. */
const FORMAT = 4;

/** Repairs the settings table, because an index of an unknown version cannot even be emptied. */
function repairSettings({ db }: Writing): void {
  db.unsafeMode(true);
  try {
    db.exec(`INSERT OR REPLACE INTO memory_fts_config (k, v) VALUES ('version', ${FORMAT})`);
  } finally {
    db.unsafeMode(false);
  }
}

/** Indexes the next missing rows; returns the last examined id, or undefined at the end. */
export function fillOn(connection: Writing, after: number, rows: number): number | undefined {
  const last = connection.get<{ id: number | null }>(LAST_OF_NEXT, after, rows)?.id ?? undefined;
  if (last !== undefined) connection.run(FILL, after, last);
  return last;
}

const LAST_OF_NEXT = `SELECT max(memory_id) AS id
  FROM (SELECT memory_id FROM memory_text WHERE memory_id > ? ORDER BY memory_id LIMIT ?)`;
const FILL = `INSERT INTO memory_fts (rowid, scope, title, tags, words, grams)
  SELECT memory_id, scope, title, tags, words, grams FROM memory_text t WHERE memory_id > ? AND memory_id <= ?
    AND NOT EXISTS (SELECT 1 FROM memory_fts_docsize d WHERE d.id = t.memory_id) ORDER BY memory_id`;

/** Marks the index as complete. */
export const endFilling = (connection: Writing): void =>
  void note(connection, { ...standingOf(connection as Reading & Writing), isFilling: false });

const SAMPLED = 16;

interface Sample {
  readonly memory_id: number;
  readonly words: string;
  readonly grams: string;
}

/**
 * Whether the index finds sample rows by their words. An index that lost pages finds nothing without an error, and the
 * integrity check reports no fault.
 */
export function isSampleFound(connection: Reading): boolean {
  const { first, last } = connection.get<{ first: number | null; last: number | null }>(ENDS) ?? {};
  if (first == null || last == null) return true;
  const step = Math.max(1, (last - first) / (SAMPLED - 1));
  const ids = new Set<number>();
  for (let at = 0; at < SAMPLED; at++) {
    const row = connection.get<Sample>(FROM, Math.floor(first + at * step));
    const term = row && termOf(row);
    if (!term || ids.has(row.memory_id)) continue;
    ids.add(row.memory_id);
    if (!connection.get(IS_FOUND, term, row.memory_id, row.memory_id)) return false;
  }
  return true;
}

/** The longest word is rare, so the lookup is fast. */
function termOf({ words, grams }: Sample): string | undefined {
  const [column, tokens] = words === "" ? ["grams", grams] : ["words", words];
  const longest = tokens.split(" ").reduce((a, b) => (b.length > a.length ? b : a));
  return longest === "" ? undefined : `${column} : "${longest.replaceAll('"', '""')}"`;
}

const ENDS = "SELECT min(memory_id) AS first, max(memory_id) AS last FROM memory_text";
const FROM = "SELECT memory_id, words, grams FROM memory_text WHERE memory_id >= ? ORDER BY memory_id LIMIT 1";
const IS_FOUND = `SELECT 1 FROM memory_fts WHERE memory_fts MATCH ? AND rowid = ?
  AND EXISTS (SELECT 1 FROM memory_fts_docsize WHERE id = ?)`;
