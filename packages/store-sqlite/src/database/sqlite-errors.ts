import { ChestError } from "@chest/contracts";
import { busy, storageFull } from "@chest/store/database/refusals";

export { busy };

const RETRY_MS = 1000;

/** Converts an error of SQLite to the caller's error; other errors are unchanged. */
export function readable(error: unknown): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (code.startsWith("SQLITE_FULL")) return storageFull(error);
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED")) return busy(error);
  if (/^SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)/.test(code)) return away(error);
  return error;
}

/** SQLite error code of an error; otherwise undefined. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code.startsWith("SQLITE_") ? error.code : undefined;
}

const away = (cause: unknown) =>
  new ChestError("UNAVAILABLE", "the database does not answer: it cannot be read or written", {
    hint: "the operator checks the backend's log, the disk and the file's permissions",
    details: { retry_after_ms: 10 * RETRY_MS },
    cause,
  });

export const shuttingDown = () =>
  new ChestError("UNAVAILABLE", "the backend is shutting down", {
    hint: "try again after the delay given",
    details: { retry_after_ms: 2000 },
  });

export const lookedThrough = () =>
  new ChestError("UNAVAILABLE", "the database is being checked: it accepts no writes until that is done", {
    hint: "try again after the delay given; reads continue",
    details: { retry_after_ms: 5 * RETRY_MS },
  });

export const damaged = () =>
  new ChestError("UNAVAILABLE", "the database is damaged: it accepts no more writes", {
    hint: "the operator stops the backend and restores a backup: `chest-index backup --list`, `chest-index restore`",
    details: { retry_after_ms: 60_000 },
  });

export const displaced = (file: string) =>
  new ChestError(
    "UNAVAILABLE",
    `\`${file}\` was moved, replaced or removed under the backend: it accepts no more writes`,
    {
      hint: `the operator stops the backend, puts \`${file}\` back or restores a backup, and starts it again`,
      details: { retry_after_ms: 60_000 },
    },
  );

/** Error for a file that fails its integrity check; the message contains positions, never content. */
export class Damaged extends Error {
  override readonly name = "Damaged";
  readonly code = "SQLITE_CORRUPT";
}

/** Whether the error means that a text index is unreadable: damaged, or of a version unknown to this SQLite. */
export function isOfTextIndex(error: unknown): boolean {
  const found = error instanceof ChestError ? error.cause : error;
  const code = sqliteCode(found);
  return code === "SQLITE_CORRUPT_VTAB" || (code === "SQLITE_ERROR" && /\bfts5\b/i.test((found as Error).message));
}
