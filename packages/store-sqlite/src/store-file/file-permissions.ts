import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { PlacedFile, StorePlace } from "@chest/core/ports";
import { NETWORK_FILE_SYSTEMS } from "../database/create-file.ts";

export function placeOf(path: string, backupDir: string): StorePlace {
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

/** Windows has no such modes; a user's folders are private there. */
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
