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

it("takes what a memory says of itself, and finds it by that", async () => {
  const said = "--category bug --title Frost --files src/frost.ts,src/ice.ts --tags winter,fruit";
  expect((await type(`remember pears-freeze ${said}`)).stdout).toBe("#1 created\n");
  await type("remember pears-thaw --tags spring");
  const shown = JSON.parse((await type("inspect tag --tag winter --json")).stdout);
  expect(shown.items).toMatchObject([{ id: 1, layer: "realize", category: "bug", title: "Frost" }]);
  expect(JSON.parse((await type("history src/ice.ts --json")).stdout).linked_memories).toMatchObject([{ id: 1 }]);
  expect((await type("recall pears --tags winter,fruit")).stdout).toMatch(/^#1 {2}realize {2}bug/);
  expect((await type("recall pears --until 2020-01-01")).stdout).toContain("nothing was found");
  expect((await type("recall pears --since 2020-01-01")).stdout.match(/^#\d/gm)?.toSorted()).toEqual(["#1", "#2"]);

  const { code, stderr } = await type("remember pears --category fruit");
  expect([code, stderr]).toEqual([2, expect.stringContaining("is not one of `architecture`, `decision`")]);
});
