import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import Database from "better-sqlite3";
import { touchFile } from "./create-file.ts";
import { Damaged } from "./sqlite-errors.ts";

/** Result of checking and counting a store file. */
export interface Contents {
  readonly schema: string;
  readonly storeUid: string;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface Copied extends Contents {
  readonly bytes: number;
  readonly sha256: string;
}

// One step: an incremental copy restarts whenever another process writes.
const ALL_PAGES = 0x7fff_ffff;

/** Copies a store's present state, including its log, into one private file, and checks the copy. */
export async function copyStore(db: Database.Database, to: string): Promise<Copied> {
  touchFile(to);
  await db.backup(to, { progress: () => ALL_PAGES });
  const contents = readContents(to);
  await chmod(to, 0o600);
  return { ...contents, bytes: statSync(to).size, sha256: await sha256Of(to) };
}

/** Opens a file that no other process uses, checks and counts it. Throws `Damaged`. */
export function readContents(file: string): Contents {
  const db = new Database(file, { fileMustExist: true });
  try {
    // Converts to a single file, because a log beside it would keep the old name.
    db.pragma("journal_mode = DELETE");
    const verdict = String(db.pragma("integrity_check(1)", { simple: true }));
    if (verdict !== "ok") throw new Damaged(`damaged: ${verdict.slice(0, 200)}`);
    return { schema: metaOf(db, "schema_version"), storeUid: metaOf(db, "store_uid"), rows: countRows(db) };
  } finally {
    db.close();
  }
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function metaOf(db: Database.Database, key: string): string {
  if (!tablesOf(db).includes("meta")) return "none";
  return String(db.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(key) ?? "none");
}

/** Leaves out the text index, which is derived. */
const tablesOf = (db: Database.Database) =>
  db
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE '%\\_fts%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`,
    )
    .pluck()
    .all() as string[];

const countRows = (db: Database.Database) =>
  Object.fromEntries(
    tablesOf(db).map((name) => [name, Number(db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get())]),
  );
