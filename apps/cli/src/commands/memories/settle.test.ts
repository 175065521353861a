import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteEngine } from "@chest/store-sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { captured } from "../../testing/captured.ts";

// Each command opens a store, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "chest-settle-"));
  await (await openSqliteEngine({ path: join(dir, "chest.db") })).close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("removes two different things from the duplicates, and undoes it", async () => {
  const type = (words: string) => captured(`${words} --project pear`, { CHEST_DATA_DIR: dir });
  for (const place of ["eu", "us"])
    await type(`remember backups-of-the-ledger-go-to-the-second-region-at-two-${place} --entity ledger`);
  const duplicates = async () => JSON.parse((await type("inspect duplicates --json")).stdout).total;
  expect(await duplicates()).toBe(1);
  expect(await type("settle 1 different 2 --reason regions")).toMatchObject({
    code: 0,
    stdout: "1 and 2: different\n",
  });
  expect(await duplicates()).toBe(0);
  expect((await type("settle 1 reopen 2")).code).toBe(0);
  expect(await duplicates()).toBe(1);
  expect((await type("settle 1 alike 2")).stderr).toContain("use one of keep-this");
  expect((await type("settle 1 different 1")).code).toBe(2);
});
