import { statSync } from "node:fs";

/** A store's file, for a person and for a program. */
export function sizesOf(dbPath: string): { db_path: string; db_size: number; db_size_human: string } {
  const size = statSync(dbPath).size;
  return { db_path: dbPath, db_size: size, db_size_human: `${(size / 1_048_576).toFixed(1)} MB` };
}
