import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteApp } from "./testing/sqlite-app.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-synonyms-"));
const file = join(folder, "synonyms.txt");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ALICE = { member: "alice", project: "host/org/pear" };
const opened = (text: string) => {
  writeFileSync(file, text);
  return openSqliteApp({ CHEST_SYNONYMS_FILE: file });
};

describe("CHEST_SYNONYMS_FILE", () => {
  it("finds a thing with two names in a team by either, beside the built-in synonyms", async () => {
    const text = "# how we call things\r\n\r\nskylark, 雲雀システム , heron gateway\nbluebird,ブルーバード\n";
    const backend = await opened(text);
    try {
      const lark = await backend.store("The skylark restarts every night at three.", {}, ALICE);
      const bird = await backend.store("ブルーバードは毎週金曜日に配布する。", {}, ALICE);
      const base = await backend.store("The database is vacuumed on Sundays.", {}, ALICE);
      const found = async (query: string) =>
        (await backend.tool("chest_recall", { query, mark_accessed: false }, ALICE)).memories.map(
          ({ id }: { id: number }) => id,
        );
      expect((await found("雲雀システムの再起動"))[0]).toBe(lark);
      expect(await found("when does the heron gateway restart")).toContain(lark);
      expect((await found("bluebird"))[0]).toBe(bird);
      // This synonym is built in.
      expect((await found("データベース"))[0]).toBe(base);
    } finally {
      await backend.close();
    }
  });

  it("is needed: without it neither name finds the other", async () => {
    const backend = await openSqliteApp();
    try {
      await backend.store("The skylark restarts every night at three.", {}, ALICE);
      expect((await backend.tool("chest_recall", { query: "雲雀システム" }, ALICE)).memories).toEqual([]);
    } finally {
      await backend.close();
    }
  });

  it.each([
    ["a line of one name", "one, two\n# fine\nalone\n", /line 3 of .*synonyms\.txt needs two names or more/],
    ["names that are none", "one, two\n , ,\n", /line 2 of .* needs two names or more/],
    ["more than a mebibyte", `${"a, b\n".repeat(210_000)}`, /is larger than 1 MiB/],
  ])("ends the start with %s, naming the variable and the place", async (_, text, message) => {
    const failure = await opened(text).then(
      (backend) => backend.close(),
      (error: Error) => error.message,
    );
    expect(failure).toMatch(message);
    expect(failure).toMatch(/^ *CHEST_SYNONYMS_FILE: /m);
  });

  it("ends the start where it cannot be read", async () => {
    rmSync(file, { force: true });
    await expect(openSqliteApp({ CHEST_SYNONYMS_FILE: file })).rejects.toThrow(/CHEST_SYNONYMS_FILE: .*\(ENOENT\)$/);
    await expect(openSqliteApp({ CHEST_SYNONYMS_FILE: folder })).rejects.toThrow(/\(EISDIR\)$/);
    writeFileSync(file, "a, b\n");
    chmodSync(file, 0o000);
    if (process.getuid?.() !== 0)
      await expect(openSqliteApp({ CHEST_SYNONYMS_FILE: file })).rejects.toThrow(/\(EACCES\)$/);
  });
});
