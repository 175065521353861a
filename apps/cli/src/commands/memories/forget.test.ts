import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { captured } from "../../testing/captured.ts";

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-forget-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });

it("archives the named memories unless they are protected, and reports each", async () => {
  for (const words of ["pears-are-green", "pears-are-ripe", "pears-freeze --layer realize"])
    await type(`remember ${words}`);
  expect(await type("forget 1 --check")).toMatchObject({ code: 0, stdout: "#1 would be archived\n" });
  expect((await type("recall pears")).stdout.match(/^#\d/gm)).toHaveLength(3);

  const { code, stdout } = await type("forget 1,3 9");
  expect([code, stdout]).toEqual([1, "#1 archived\n#3 is protected (realize), and stays\n#9 was not found\n"]);
  expect((await type("recall pears")).stdout.match(/^#\d/gm)?.toSorted()).toEqual(["#2", "#3"]);
  expect(await type("forget 1")).toMatchObject({ code: 0, stdout: "#1 is archived already\n" });
  expect(JSON.parse((await type("forget 2 --json")).stdout)).toMatchObject({ ids: [2], affected: 1 });

  expect((await type("unarchive 1")).code).toBe(0);
  expect((await type("recall pears")).stdout.match(/^#\d/gm)?.toSorted()).toEqual(["#1", "#3"]);
});

it("requires ids", async () => {
  expect(await type("forget")).toMatchObject({ code: 2, stderr: expect.stringContaining("`IDS") });
  expect((await type("forget pears")).code).toBe(2);
});
