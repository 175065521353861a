import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localExecutor } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { openSqliteEngine } from "@chest/store-sqlite";
import { aCall, testPorts } from "@chest/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { captured } from "../../testing/captured.ts";

// Each command opens a store, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-promotion-"));
  const engine = await openSqliteEngine({ path: join(dir, "chest.db") });
  const { execute } = localExecutor(TOOLS, engine, { ...testPorts(), hasReview: true });
  for (const content of ["herons", "storks"])
    await execute("chest_remember", { content, layer: "learning", visibility: "team" }, aCall());
  await engine.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("approves and declines memories that wait for the team, which `inspect promotions` lists", async () => {
  const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });
  const list = async () => (await type("inspect promotions")).stdout;
  expect(await list()).toMatch(/herons[\s\S]*storks/);
  expect(await type("promotion approve 1")).toMatchObject({ code: 0, stdout: "1 is the team's\n" });
  expect(await type("promotion decline 2 --reason birds")).toMatchObject({ stdout: "2 stays where it is\n" });
  expect(await list()).not.toMatch(/herons|storks/);
  expect((await type("promotion approve 1")).stderr).toContain("does not wait for the team");
});
