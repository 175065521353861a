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
  dir = mkdtempSync(join(tmpdir(), "chest-remember-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("makes the project the subject of a fact, unless another is named", async () => {
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

it("stores the properties in the arguments, and finds the memory by them", async () => {
  const said = "--category bug --title Frost --files src/frost.ts,src/ice.ts --tags winter,fruit";
  expect((await type(`remember pears-freeze ${said}`)).stdout).toBe("#1 created\n");
  await type("remember pears-thaw --tags spring");
  const shown = JSON.parse((await type("inspect tag --tag winter --json")).stdout);
  expect(shown.items).toMatchObject([{ id: 1, layer: "realize", category: "bug", title: "Frost" }]);
  expect(JSON.parse((await type("history src/ice.ts --json")).stdout).linked_memories).toMatchObject([{ id: 1 }]);
  expect((await type("recall pears --tags winter,fruit")).stdout).toMatch(/^#1 {2}Frost {2}realize {2}bug/);
  expect((await type("recall pears --until 2020-01-01")).stdout).toContain("nothing was found");
  expect((await type("recall pears --since 2020-01-01")).stdout.match(/^#\d/gm)?.toSorted()).toEqual(["#1", "#2"]);

  const { code, stderr } = await type("remember pears --category fruit");
  expect([code, stderr]).toEqual([2, expect.stringContaining("is not one of `architecture`, `decision`")]);
});

it("marks archived and replaced memories as such", async () => {
  await type("remember pears-are-green");
  await type("remember pears-are-blue");
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  const executor = localExecutor(TOOLS, engine, testPorts());
  const call = () => aCall({ caller: localCaller(undefined) });
  await executor.execute("chest_forget", { ids: [2], confirm: true }, call());
  const newer = { content: "pears-are-red", layer: "learning", supersedes: [1] };
  await executor.execute("chest_remember", newer, call());
  await engine.close();
  const { stdout } = await type("show 1 2 3");
  expect(stdout.match(/^#.*/gm)).toEqual([
    expect.stringMatching(/^#1 .* {2}superseded$/),
    expect.stringMatching(/^#2 .* {2}archived$/),
    expect.not.stringMatching(/superseded|archived/),
  ]);
});

it("creates the store with the first memory, if there is none", async () => {
  rmSync(dir, { recursive: true, force: true });
  const early = await type("recall tuesdays");
  expect([early.code, early.stderr]).toEqual([2, expect.stringContaining("there is no store")]);
  expect((await type("remember we-deploy-on-tuesdays")).stdout).toBe("#1 created\n");
  expect((await type("recall tuesdays")).stdout).toContain("we-deploy-on-tuesdays");
});

it("obeys CHEST_MAX_CONTENT_CHARS, and warns where it is odd", async () => {
  const within = (chars: string) =>
    captured("remember the-gate-opens-at-seven", { CHEST_DATA_DIR: dir, CHEST_MAX_CONTENT_CHARS: chars });
  const tooLong = await within("20");
  expect([tooLong.code, tooLong.stderr]).toEqual([2, expect.stringContaining("the limit is 20")]);
  expect((await type("recall gate")).stdout).toContain("nothing was found");

  const unlimited = await within("0");
  expect(unlimited.stdout).toBe("#1 created\n");
  expect(unlimited.stderr).toBe("chest-index: CHEST_MAX_CONTENT_CHARS: 0 is outside 1–1000000, so it is ignored\n");
  expect((await within("many")).stderr).toContain("CHEST_MAX_CONTENT_CHARS: `many` is not a whole number");
});
