import type { HostFacts } from "@chest/contracts";
import type { ListedBackup } from "../ports/operations/backups.ts";
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
