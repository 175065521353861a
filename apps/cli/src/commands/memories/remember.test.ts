import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-remember-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("takes the project for what a fact is about, unless that is named", async () => {
  const here = "--project host/org/pear";
  expect((await type(`remember pears-ripen ${here}`)).stdout).toBe("#1 created\n");
  await type(`remember pears-please --entity Ada --kind person ${here}`);
  await type(`remember it-has-a-gate --entity orchard ${here}`);
  const { stdout } = await type(`inspect recent ${here} --json`);
  const { items } = JSON.parse(stdout) as { items: { entity: { name: string; kind: string } }[] };
  expect(items.map(({ entity }) => `${entity.name}, ${entity.kind}`)).toEqual([
    "orchard, project",
    "Ada, person",
    "pear, project",
  ]);

  const { code, stderr } = await type(`remember green --kind person ${here}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining("entity_name")]);
});
