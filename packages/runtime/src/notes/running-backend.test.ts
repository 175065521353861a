import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { forgetRunning, noteRunning, readRunning } from "./running-backend.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "chest-running-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const ABOUT = { url: "http://127.0.0.1:9001", db_path: "/srv/a.db", backup_dir: "/srv/backups" };
// No system gives so high a number to a process.
const NOT_THERE = 2 ** 30;

it("is found by its note while it runs, and not when it was killed", () => {
  expect(readRunning(dir)).toBeUndefined();
  noteRunning(dir, { ...ABOUT, pid: process.pid });
  expect(readRunning(dir)).toEqual({ ...ABOUT, pid: process.pid });
  forgetRunning(dir, NOT_THERE);
  expect(readRunning(dir)).toBeDefined();
  forgetRunning(dir, process.pid);
  expect(readRunning(dir)).toBeUndefined();
  noteRunning(dir, { ...ABOUT, pid: NOT_THERE });
  expect(readRunning(dir)).toBeUndefined();
});
