import { open, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Backup } from "@chest/core/ports";
import type { Copied } from "../database/copy-database.ts";
import { makeFolder, touchFile } from "../database/create-file.ts";
import { sqliteCode } from "../database/sqlite-errors.ts";
import { checkIntegrity } from "../integrity/integrity-check.ts";
import { type Manifest, manifestOf, nameFor } from "../store-file/backup-manifest.ts";
import { openable } from "../store-file/explain-open-error.ts";
import { assertNotLost } from "../store-file/missing-store-guard.ts";
import { SearchPool } from "../threads/search-pool.ts";

/** Time limit of a copy, which is checked, counted and hashed: seconds per gigabyte. */
export const COPY_LIMIT_MS = 3_600_000;

export interface BackupRequest {
  readonly path: string;
  readonly folder: string;
  /** Part of the file's name. */
  readonly reason: string;
  readonly signal?: AbortSignal | undefined;
}

/** Copies a store, possibly in use, in a thread; the file gets its final name only after a check. */
export async function backUpStore({ path, folder, reason, signal }: BackupRequest): Promise<Backup> {
  assertNotLost(path, folder);
  const pool = new SearchPool({ path, threads: 1, timeoutMs: COPY_LIMIT_MS });
  const stop = () => void pool.close();
  signal?.addEventListener("abort", stop);
  try {
    signal?.throwIfAborted();
    return await keepCopy((to) => pool.ask("copy", { to }), { path, folder, reason });
  } finally {
    signal?.removeEventListener("abort", stop);
    await pool.close();
  }
}

/** Creates a copy under a temporary name, and renames it once its manifest is written. */
export async function keepCopy(
  copy: (to: string) => Promise<Copied>,
  { path, folder, reason }: Omit<BackupRequest, "signal">,
): Promise<Backup> {
  makeFolder(folder);
  const madeAt = new Date();
  const file = join(folder, nameFor({ madeAt, reason }));
  const unfinished = `${file}.part`;
  try {
    const { storeUid, ...copied } = await copy(unfinished);
    const about: Manifest = {
      format: 1,
      file: basename(file),
      made_at: madeAt.toISOString(),
      reason,
      ...copied,
      store_uid: storeUid,
      store: basename(path),
    };
    touchFile(manifestOf(file));
    await writeFile(manifestOf(file), `${JSON.stringify(about, undefined, 2)}\n`, { flush: true });
    await rename(unfinished, file);
    await flushFolder(folder);
    return { ...about, path: file };
  } catch (error) {
    for (const left of [unfinished, `${unfinished}-journal`, manifestOf(file)]) await rm(left, { force: true });
    throw error;
  }
}

/** Makes a rename durable by flushing its folder. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // Its folders cannot be opened.
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Backs up a store that this process has not opened. Throws `CannotOpen` if the store is damaged. */
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
