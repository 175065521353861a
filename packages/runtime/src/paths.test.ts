import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultDataDir, ensureFolder } from "./paths.ts";
import { StartError } from "./start-error.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "chest-paths-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

it("keeps everything in ~/.chest-memory", () => {
  expect(defaultDataDir("/home/dev")).toBe("/home/dev/.chest-memory");
});

it("makes folders for their owner only, whatever the umask", () => {
  const before = process.umask(0);
  try {
    ensureFolder(join(root, "a/b"));
  } finally {
    process.umask(before);
  }

  expect(modeOf(join(root, "a"))).toBe(0o700);
  expect(modeOf(join(root, "a/b"))).toBe(0o700);
});

it("leaves the mode of a folder that is there", () => {
  chmodSync(root, 0o755);
  ensureFolder(root);

  expect(modeOf(root)).toBe(0o755);
});

it("says what is in the way", () => {
  writeFileSync(join(root, "file"), "");

  expect(() => ensureFolder(join(root, "file"))).toThrow(StartError);
  expect(() => ensureFolder(join(root, "file/inside"))).toThrow("cannot be used (ENOTDIR)");
});
