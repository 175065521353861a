import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeOlderThan } from "./remove-older.ts";

it("takes what is old, and passes over what it cannot take", () => {
  const dir = mkdtempSync(join(tmpdir(), "chest-older-"));
  const then = new Date(Date.now() - 10_000);
  mkdirSync(join(dir, "a-folder"));
  for (const name of ["b-old", "c-new"]) writeFileSync(join(dir, name), "");
  for (const name of ["a-folder", "b-old"]) utimesSync(join(dir, name), then, then);
  removeOlderThan(dir, 5000);
  expect(readdirSync(dir)).toEqual(["a-folder", "c-new"]);
  rmSync(dir, { recursive: true });
});
