import type Database from "better-sqlite3";
import { isOfTextIndex } from "./sqlite-errors.ts";

/** A damaged index gives a fault; an index of an unknown version makes the whole check fail. */
export function faultsOf(db: Database.Database, most: number): string[] {
  try {
    return checked(db, most);
  } catch (error) {
    if (isOfTextIndex(error)) return [(error as Error).message];
    throw error;
  }
}

const isOfIndex = (line: string): boolean => /\bfts5\b/i.test(line) && /\bmemory_fts\b|file format/.test(line);

/** The first fault outside of the text index; if there is none, every table is checked separately. */
export const faultInRows = (db: Database.Database, faults: readonly string[]): string | undefined =>
  faults.find((line) => !isOfIndex(line)) ?? faultInTables(db);

/** Checks each table separately, including those of the index, for faults that the index hid. */
function faultInTables(db: Database.Database): string | undefined {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").pluck().all();
  return tables.flatMap((name) => checked(db, `"${String(name).replaceAll('"', '""')}"`))[0];
}

const checked = (db: Database.Database, what: number | string): string[] =>
  (db.pragma(`integrity_check(${what})`) as { integrity_check: string }[])
    .map(({ integrity_check: line }) => line)
    .filter((line) => line !== "ok");
