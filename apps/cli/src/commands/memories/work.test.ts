import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-work-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("adds work in a project, lists it there only, closes it once, and drops it with a reason", async () => {
  const here = "--project host/org/pear";
  expect((await type(`work add pruning --priority 1 --files trees.ts --detail soon ${here}`)).stdout).toBe(
    "W#1 added\n",
  );
  await type(`work add grafting ${here}`);
  const listed = (await type(`work list ${here}`)).stdout;
  expect(listed.split("\n").map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
    ["1.", "W#1", "pruning", "priority 1"],
    ["2.", "W#2", "grafting", "priority 2"],
    [""],
  ]);
  expect((await type("work list --project host/org/apple")).stdout).toBe("no open work\n");
  expect((await type(`work close 1 ${here}`)).stdout).toBe("W#1 closed: pruning\n");
  const twice = await type(`work close W#1 ${here}`);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("W#1 is done already")]);
  expect((await type(`work drop 1 ${here}`)).code).toBe(2);
  expect((await type(`work drop 1 --reason rot ${here}`)).stdout).toBe("W#2 dropped: grafting\n");
  expect((await type(`work get W#2 ${here}`)).stdout).toContain("reason: rot");
  expect(JSON.parse((await type(`work list ${here} --json`)).stdout)).toMatchObject({ total: 0, items: [] });
});
