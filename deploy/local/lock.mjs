import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { throwIfInterrupted } from "./child.mjs";

const LOOK_AGAIN_MS = 200;
const BEAT_MS = 1000;

/**
 * Runs `work` while no other process does, with a folder as the lock. Its holder is the highest numbered folder in it,
 * which shows by its age whether the holder lives: making the next number takes over from a dead one, and only one can.
 * @param isDue asked while it waits: once another process has done the work there is nothing to wait for
 */
export async function withLock(folder, { onWait = () => {}, isDue = () => true, staleMs = 10_000 }, work) {
  let waited = false;
  let held = tryLock(folder, staleMs);
  while (!held) {
    if (!waited) onWait();
    waited = true;
    await sleep(LOOK_AGAIN_MS);
    throwIfInterrupted();
    if (!isDue()) return undefined;
    held = tryLock(folder, staleMs);
  }
  const beat = setInterval(() => touch(held), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    release(folder, held);
  }
}

function tryLock(folder, staleMs) {
  try {
    mkdirSync(folder, { recursive: true });
    const newest = newestIn(folder);
    if (newest > 0 && Date.now() - statSync(join(folder, String(newest))).mtimeMs < staleMs) return undefined;
    const mine = join(folder, String(newest + 1));
    mkdirSync(mine);
    return mine;
  } catch (error) {
    // Another process was faster, or let go between two of these lines.
    if (isRace(error.code)) return undefined;
    throw error;
  }
}

function release(folder, held) {
  if (held !== join(folder, String(newestIn(folder)))) return;
  // Moved away first, in one step: other processes never see half a lock.
  const gone = `${folder}.${process.pid}`;
  const options = { recursive: true, force: true, maxRetries: 10 };
  try {
    renameSync(folder, gone);
  } catch (error) {
    if (!isRace(error.code)) throw error;
    // On Windows a folder that another process lists is not moved: it goes by itself, its number last.
    rmSync(folder, options);
  }
  rmSync(gone, options);
}

/** Whether another process was in between, by the code of an error; Windows has codes of its own for that. */
export const isRace = (code, platform = process.platform) =>
  ["EEXIST", "ENOENT"].includes(code) || (platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(code));

function newestIn(folder) {
  return Math.max(0, ...readdirSync(folder).map(Number));
}

function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch (error) {
    if (!isRace(error.code)) throw error;
  }
}
