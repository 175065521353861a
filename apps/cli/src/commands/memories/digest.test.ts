import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-digest-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("prints a digest of this machine's store as Markdown, of one project or of all, and as JSON", async () => {
  await type("remember pears-ripen-late --project host/org/orchard");
  await type("remember barrels-leak-in-june --project host/org/cellar");

  const all = await type("digest --week");
  expect([all.code, all.stdout]).toEqual([0, expect.stringMatching(/^# What is new\n\nSince .+ UTC\.\n/)]);
  expect(all.stdout).toContain("2 memories in 2 places.");
  expect(all.stdout).toMatch(/In host\/org\/orchard: 1 memory\n\n- pears-ripen-late \(#1, /);

  const one = await type("digest --days 1 --project host/org/cellar");
  expect(one.stdout).toContain("barrels-leak-in-june");
  expect(one.stdout).not.toContain("pears");

  const { learned, text } = JSON.parse((await type("digest --json")).stdout);
  expect([learned.total, text]).toEqual([2, expect.stringContaining("## Learned")]);
});

it("refuses a number of days outside its range", async () => {
  expect((await type("digest --days 0")).code).toBe(2);
  expect((await type("digest --days 2 --week")).code).toBe(2);
});
