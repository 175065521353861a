import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-preview-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("shows what a hook would add to a prompt, why, and why not another memory, and changes nothing", async () => {
  const here = "--project host/org/pear";
  await type(`remember pruning-of-pear-trees-waits-for-the-last-frost-of-spring ${here}`);
  await type(`remember the-cellar-holds-forty-barrels ${here}`);

  const asked = `preview when-does-pruning-of-pear-trees-wait-for-frost ${here}`;
  const shown = (await type(`${asked} --why-not 2`)).stdout;
  expect(shown).toMatch(/^beside the prompt: \d+ tokens$/m);
  expect(shown).toContain("pruning-of-pear-trees-waits-for-the-last-frost-of-spring");
  expect(shown).toMatch(/^memory 1: .+, \d+ tokens$/m);
  expect(shown).toMatch(/^memory 2 is not shown for this reason: \w+$/m);

  const [first, second] = [await type(`${asked} --json`), await type(`${asked} --json`)];
  expect(JSON.parse(first.stdout)).toEqual(JSON.parse(second.stdout));
  expect((await type(`preview --why-not pear ${here}`)).code).toBe(2);
});
