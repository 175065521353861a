import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-folder-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("makes what is missing on the way, for its owner only, and nothing twice", () => {
  makeFolder(join(root, "a/b/c"));
  makeFolder(join(root, "a/b/c"));
  for (const name of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, name)).mode & 0o777).toBe(0o700);
});

it("takes no file for a folder", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file/inside"))).toThrow("ENOTDIR");
});

it.skipIf(process.platform !== "linux")("fails at once where the system makes none", () => {
  expect(() => makeFolder("/proc/chest/data")).toThrow("ENOENT");
});
