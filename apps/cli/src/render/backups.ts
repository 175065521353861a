import type { Backend } from "@chest/client";
import { ChestError, endpoints } from "@chest/contracts";

/** Summary of a store's backups. */
export interface BackupsSummary {
  readonly line: string;
  readonly document: { readonly last_at: string | null; readonly count: number };
  /**
   * True when the newest backup is old. A store without backups is only mentioned, because not every store wants
   * backups.
   */
  readonly isStale: boolean;
}

const STALE_MS = 48 * 3_600_000;

/** @param madeAt times of the backups, newest first. */
export function summariseBackups(madeAt: readonly Date[], now = new Date()): BackupsSummary {
  const [newest] = madeAt;
  const document = { last_at: newest?.toISOString() ?? null, count: madeAt.length };
  if (!newest) return { line: "backups: none", document, isStale: false };
  const isStale = now.getTime() - newest.getTime() > STALE_MS;
  const line = `backups: ${madeAt.length}, the newest of ${newest.toISOString()}${isStale ? ", which is long ago" : ""}`;
  return { line, document, isStale };
}

/** Reads a backend's backups; undefined where this token may not list them, or the backend is too old to do so. */
export async function backupsOf(backend: Backend): Promise<BackupsSummary | undefined> {
  try {
    const { backups } = await backend.call(endpoints.listBackups);
    return summariseBackups(backups.map(({ made_at }) => new Date(made_at)));
  } catch (error) {
    if (error instanceof ChestError) return undefined;
    throw error;
  }
}
