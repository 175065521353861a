import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { NETWORK_FILE_SYSTEMS } from "../database/create-file.ts";

/** Where a store lies, and who can get at it. */
export interface Place {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** `NFS`, `SMB` and their like, where locks do not hold; undefined for a local disk. */
  readonly network: string | undefined;
  /** The folder, the store and what lies beside it. */
  readonly files: readonly PlacedFile[];
}

export interface PlacedFile {
  readonly what: "folder" | "store" | "log" | "lock" | "backups";
  readonly path: string;
  /** Octal, like `600`. */
  readonly mode: string;
  /** By nobody but its owner. */
  readonly isClosed: boolean;
  /** By the account that asks. */
  readonly isOwned: boolean;
}

export function placeOf(path: string, backupDir: string): Place {
  const folder = dirname(path);
  const { type, bavail, blocks, bsize } = statfsSync(folder);
  const named = { folder, store: path, log: `${path}-wal`, lock: `${path}.lock`, backups: backupDir } as const;
  return {
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    network: NETWORK_FILE_SYSTEMS.get(type),
    files: Object.entries(named).flatMap(([what, file]) =>
      existsSync(file) ? [placed(what as PlacedFile["what"], file)] : [],
    ),
  };
}

/** Windows has no such modes: its folders of a user are the user's. */
function placed(what: PlacedFile["what"], path: string): PlacedFile {
  const { mode, uid } = statSync(path);
  const own = process.getuid?.();
  return {
    what,
    path,
    mode: (mode & 0o777).toString(8),
    isClosed: process.platform === "win32" || (mode & 0o077) === 0,
    isOwned: own === undefined || own === uid,
  };
}
