import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localCaller } from "@chest/core/access";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-inbox-"));
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  const executor = localExecutor(TOOLS, engine, testPorts());
  const about = { entity_name: "weir", entity_kind: "project", layer: "learning" };
  for (const state of ["open", "closed"]) {
    const content = `The weir under the old mill beside the pond is ${state}`;
    await executor.execute("chest_remember", { ...about, content }, aCall({ caller: localCaller("host/org/pond") }));
  }
  await engine.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("counts and lists what waits, and assigns, snoozes and wakes it", async () => {
  const counts = await type("inbox list");
  expect(counts.stdout).toContain("1  contradictions");

  await type("inbox assign contradictions 1 2 --to local --reason knows-it");
  const mine = await type("inbox list contradictions --part mine");
  expect(mine.stdout).toContain("2 1: assigned to local, knows-it");
  await type("inbox snooze contradictions 2 1 --until 1d");
  expect((await type("inbox list contradictions")).stdout).toContain("nothing found");
  const { total } = JSON.parse((await type("inbox list contradictions --part snoozed --json")).stdout);
  expect(total).toBe(1);
  await type("inbox wake contradictions 1 2");
  await type("inbox assign contradictions 1 2 --nobody");
  expect((await type("inbox list contradictions")).stdout).not.toContain("assigned");
});

it("refuses a queue, a part and an assignee that are none", async () => {
  expect((await type("inbox list mail")).code).toBe(2);
  expect((await type("inbox list flagged --part theirs")).code).toBe(2);
  expect((await type("inbox assign flagged 1")).code).toBe(2);
  expect((await type("inbox assign flagged 1 --to local")).code).not.toBe(0);
});
