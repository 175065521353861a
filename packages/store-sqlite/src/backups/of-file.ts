import type { Backup } from "@chest/core/ports";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { checkIntegrity } from "../integrity/integrity-check.ts";
import { openable } from "../store-file/explain-open-error.ts";
import { type BackupRequest, backUpStore } from "./make.ts";

/** The same for a store that this process has not opened. Throws `CannotOpen` if the store is damaged. */
export async function backUpFile(request: BackupRequest): Promise<Backup> {
  try {
    return await backUpStore(request);
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    // The disk may have damaged only the copy.
    if (sqliteCode(cause)?.startsWith("SQLITE_CORRUPT"))
      await openable(request.path, request.folder, () => checkIntegrity(request.path));
    throw error;
  }
}
