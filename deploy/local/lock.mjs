import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { throwIfInterrupted } from "./child.mjs";

const LOOK_AGAIN_MS = 200;
const BEAT_MS = 1000;

/**
 * Runs `work` while no other process does, with a folder as the lock. Its holder is the highest numbered folder in it,
 * which shows by its age whether the holder lives: making the next number takes over from a dead one, and only one can.
 */
export async function withLock(folder, { onWait = () => {}, staleMs = 10_000 }, work) {
  let waited = false;
  let held = tryLock(folder, staleMs);
  while (!held) {
    if (!waited) onWait();
    waited = true;
    await sleep(LOOK_AGAIN_MS);
    throwIfInterrupted();
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
    if (error.code === "EEXIST" || error.code === "ENOENT") return undefined;
    throw error;
  }
}

function release(folder, held) {
  if (held !== join(folder, String(newestIn(folder)))) return;
  // Moved away first, in one step: other processes never see half a lock.
  const gone = `${folder}.${process.pid}`;
  renameSync(folder, gone);
  rmSync(gone, { recursive: true, force: true });
}

function newestIn(folder) {
  return Math.max(0, ...readdirSync(folder).map(Number));
}

function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}
