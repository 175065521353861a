import type Database from "better-sqlite3";
import { isOfTextIndex } from "./sqlite-errors.ts";

/** A damaged index is a fault among others; one of an unknown version keeps the whole look from being taken. */
export function faultsOf(db: Database.Database, most: number): string[] {
  try {
    return checked(db, most);
  } catch (error) {
    if (isOfTextIndex(error)) return [(error as Error).message];
    throw error;
  }
}

const isOfIndex = (line: string): boolean => /\bfts5\b/i.test(line) && /\bmemory_fts\b|file format/.test(line);

/** Returns the first fault that is not of the index; where there is none, every table is looked at by itself. */
export const faultInRows = (db: Database.Database, faults: readonly string[]): string | undefined =>
  faults.find((line) => !isOfIndex(line)) ?? faultInTables(db);

/** Each table by itself, those that the index lies in included: a fault that the index kept from sight. */
function faultInTables(db: Database.Database): string | undefined {
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0").pluck().all();
  return tables.flatMap((name) => checked(db, `"${String(name).replaceAll('"', '""')}"`))[0];
}

const checked = (db: Database.Database, what: number | string): string[] =>
  (db.pragma(`integrity_check(${what})`) as { integrity_check: string }[])
    .map(({ integrity_check: line }) => line)
    .filter((line) => line !== "ok");
