import { CannotOpen } from "@chest/core/ports";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { wayBack } from "./missing-store-guard.ts";

/**
 * Runs work that opens a file, and explains errors of the file to its owner; the file is neither deleted nor renamed.
 */
export async function openable<T>(path: string, backupDir: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = sqliteCode(error) ?? sqliteCode(error instanceof Error ? error.cause : undefined);
    if (code === undefined || error instanceof CannotOpen) throw error;
    if (code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")) {
      throw new CannotOpen(
        `${path} is damaged, or not an SQLite database (${code})`,
        `${wayBack(backupDir)}; the file was not changed`,
        error,
      );
    }
    if (code.startsWith("SQLITE_FULL"))
      throw new CannotOpen(`the disk under ${path} is full`, "free some space and start again", error);
    throw new CannotOpen(
      `${path} cannot be opened for writing (${code})`,
      "check the permissions and the mount of its folder",
      error,
    );
  }
}
