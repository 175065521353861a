import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isGoing, isTaken, tryLock } from "./lock.ts";

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "chest-lock-"));
  path = join(dir, "lock");
});

afterEach(() => rm(dir, { recursive: true }));

const left = (holder: Record<string, unknown>) => writeFile(path, JSON.stringify({ owner: "x", ...holder }));

it("is one process's at a time, and free again after it", async () => {
  const held = await tryLock(path);

  expect(await tryLock(path)).toBeUndefined();
  await held?.release();
  expect(await tryLock(path)).toBeDefined();
});

it("is free when its process is dead", async () => {
  await left({ pid: 4_000_000, host: hostname() });

  expect(await tryLock(path)).toBeDefined();
});

it("is held by a process of another machine until nobody has touched it for a minute", async () => {
  await left({ pid: 1, host: "elsewhere" });
  expect(await tryLock(path)).toBeUndefined();

  const longAgo = new Date(Date.now() - 61_000);
  await utimes(path, longAgo, longAgo);
  expect(await tryLock(path)).toBeDefined();
});

it("is held while it is being written", async () => {
  await writeFile(path, "");

  expect(await tryLock(path)).toBeUndefined();
});

it("goes to one of many that find it stale", async () => {
  await left({ pid: 4_000_000, host: hostname() });

  const taken = await Promise.all(Array.from({ length: 20 }, () => tryLock(path)));
  const holding = await Promise.all(taken.map((lock) => lock?.isHeld()));

  expect(holding.filter(Boolean)).toHaveLength(1);
});

it("knows that it was lost", async () => {
  const held = await tryLock(path);
  await rm(path);
  await left({ pid: process.pid, host: hostname() });

  expect(await held?.isHeld()).toBe(false);
  await held?.release();
  expect(await tryLock(path)).toBeUndefined();
});

it.each([
  ["EEXIST", true, true],
  ["EPERM", false, true],
  ["EACCES", false, true],
  ["EBUSY", false, true],
  ["ENOSPC", false, false],
  ["ENOENT", false, false],
])("is another one's by %s: on Linux and macOS %s, on Windows %s", (code, onPosix, onWindows) => {
  expect([isTaken(code, "linux"), isTaken(code, "darwin"), isTaken(code, "win32")]).toEqual([
    onPosix,
    onPosix,
    onWindows,
  ]);
});

it("is gone, or going: Windows keeps the name of a file that is being removed", () => {
  expect([isGoing("ENOENT", "linux"), isGoing("EPERM", "linux"), isGoing("EIO", "win32")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(["ENOENT", "EPERM", "EBUSY"].every((code) => isGoing(code, "win32"))).toBe(true);
});
