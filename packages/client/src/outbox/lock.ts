import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, stat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";

const holder = z.object({ owner: z.string(), pid: z.int(), host: z.string() });

/** A lock held by one process, kept fresh while it is held. */
export interface Lock {
  /** False after another process took the lock over, for example while this machine slept. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

const BEAT_MS = 10_000;
const STALE_MS = 60_000;

/**
 * Takes the lock of the process that delivers; undefined while another process holds it. Correctness does not depend on it,
 * because two processes would send the same keys. A lock is stale if its process on this machine is dead, or if it was not
 * refreshed for a minute.
 */
export async function tryLock(path: string): Promise<Lock | undefined> {
  const owner = randomUUID();
  if (!(await create(path, owner)) && !((await removeStale(path)) && (await create(path, owner)))) return undefined;
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => clearInterval(beat)); // Gone: `isHeld` says so before the next entry.
  }, BEAT_MS);
  beat.unref();
  const isHeld = async () => (await readHolder(path))?.owner === owner;
  return {
    isHeld,
    async release() {
      clearInterval(beat);
      if (await isHeld()) await unlink(path).catch(ignoreAbsent);
    },
  };
}

async function create(path: string, owner: string): Promise<boolean> {
  const handle = await open(path, "wx", 0o600).catch(ignoreTaken);
  if (!handle) return false;
  try {
    await handle.writeFile(JSON.stringify({ owner, pid: process.pid, host: hostname() }));
    return true;
  } catch (error) {
    // A lock file without an owner would keep every process out until it is stale.
    await unlink(path).catch(ignoreAbsent);
    throw error;
  } finally {
    await handle.close();
  }
}

/** Moves a stale lock away; true if this succeeded. */
async function removeStale(path: string): Promise<boolean> {
  const found = await readHolder(path);
  const touched = await stat(path).catch(ignoreAbsent);
  if (!touched) return true;
  const isFresh = Date.now() - touched.mtimeMs < STALE_MS;
  if (isFresh && (!found || found.host !== hostname() || isAlive(found.pid))) return false;
  const grave = `${path}.${randomUUID()}.part`;
  await rename(path, grave).catch(ignoreAbsent);
  const buried = await readHolder(grave);
  // Another process was faster and the moved file is its new lock, so it is put back.
  if (buried && buried.owner !== found?.owner) await link(grave, path).catch(ignoreTaken);
  await unlink(grave).catch(ignoreAbsent);
  return buried?.owner === found?.owner;
}

async function readHolder(path: string): Promise<z.infer<typeof holder> | undefined> {
  const text = await readFile(path, "utf8").catch(ignoreAbsent);
  if (!text) return undefined;
  try {
    return holder.parse(JSON.parse(text));
  } catch {
    return undefined; // Being written, or torn by a crash: its age decides.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

// Windows reports these errors for a file that another process removes or has open.
const BUSY_ON_WINDOWS = ["EPERM", "EACCES", "EBUSY"];

/** Whether another process has the lock, by the error of taking it. */
export const isTaken = (code: string | undefined, platform: NodeJS.Platform = process.platform): boolean =>
  code === "EEXIST" || (platform === "win32" && BUSY_ON_WINDOWS.includes(code ?? ""));

/** Whether there is no lock to take away, or another process takes it away, by the error of doing so. */
export const isGoing = (code: string | undefined, platform: NodeJS.Platform = process.platform): boolean =>
  code === "ENOENT" || (platform === "win32" && BUSY_ON_WINDOWS.includes(code ?? ""));

const ignore =
  (isExpected: (code: string | undefined) => boolean) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (isExpected(error.code)) return undefined;
    throw error;
  };
const ignoreAbsent = ignore(isGoing);
const ignoreTaken = ignore(isTaken);
