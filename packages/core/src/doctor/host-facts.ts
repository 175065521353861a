import type { BackupRow, HostFacts } from "@chest/contracts";
import type { Backup, ListedBackup } from "../ports/operations/backups.ts";
import type { Census, StorePlace } from "../ports/operations/store-host.ts";

/** Row counts as a backend tells them of its store, and the doctor of a file. All zero where nothing could be counted. */
export const rowFacts = (census: Census | undefined) => ({
  memories: census ? census.live + census.archived + census.superseded : 0,
  live: census?.live ?? 0,
  pending: census?.pending ?? 0,
  vectors: census?.vectors ?? 0,
  unsegmented: census?.unsegmented ?? 0,
  unindexed: census?.unindexed ?? 0,
  stray_indexed: census?.strayIndexed ?? 0,
  corrupt_vectors: census?.corruptVectors ?? 0,
});

/** A listed backup as backend and command line show it; `file` is its name. */
export const listedRow = ({ madeAt, path: _, ...backup }: ListedBackup): BackupRow => ({
  ...backup,
  made_at: madeAt.toISOString(),
  sha256: backup.sha256 ?? null,
  schema: backup.schema ?? null,
  memories: backup.memories ?? null,
});

/** A new backup in the same form. */
export const madeRow = ({ file, made_at, reason, bytes, sha256, schema, rows }: Backup): BackupRow => ({
  file,
  made_at,
  reason,
  bytes,
  sha256,
  schema,
  memories: rows.memories ?? 0,
});

/** @param backups the newest first */
export const backupFacts = (backups: readonly ListedBackup[]): HostFacts["backups"] => ({
  count: backups.length,
  newest_at: backups[0]?.madeAt.toISOString() ?? null,
  is_verified: backups[0]?.sha256 !== undefined,
});

export const placeFacts = ({ freeBytes, totalBytes, network, files }: StorePlace): HostFacts["place"] => ({
  free_bytes: freeBytes,
  total_bytes: totalBytes,
  network: network ?? null,
  files: files.map(({ what, path, mode, isClosed, isOwned }) => ({
    what,
    path,
    mode,
    is_closed: isClosed,
    is_owned: isOwned,
  })),
});
