import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { captured } from "../../testing/captured.ts";

// Each command opens a store, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "chest-verify-")));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(dir, { recursive: true, force: true });
});

it("compares memories with the files of the current folder, and accepts what still holds", async () => {
  const folder = join(dir, "pear");
  mkdirSync(folder);
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  writeFileSync(join(folder, "a.ts"), "one\n");
  const type = (words: string) => captured(words, { CHEST_DATA_DIR: dir });
  await type("remember parsed --entity parser --source a.ts:1 --project pear");
  expect(await type("verify")).toMatchObject({ code: 0, stdout: "1 source compared, 1 as noted\n" });

  writeFileSync(join(folder, "a.ts"), "two\n");
  const stale = await type("verify 1");
  expect(stale).toMatchObject({ code: 2, stdout: expect.stringMatching(/^stale +1 +a\.ts:1 +changed since/) });
  expect((await type("inspect stale")).stdout).toContain("parsed");
  expect(await type("verify --path a.ts --accept")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("1 noted"),
  });
  expect(JSON.parse((await type("verify --json")).stdout)).toMatchObject({ counts: { ok: 1 } });
  expect((await type("verify 1 --path a.ts")).code).toBe(2);
  expect((await type("verify 99")).stderr).toContain("99");
});
