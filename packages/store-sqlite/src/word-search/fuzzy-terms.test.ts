import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginningsMeant, isMeantBy } from "@chest/core/text";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Connection } from "../database/connection.ts";
import { openSqliteEngine } from "../index.ts";
import { nearTerms } from "./fuzzy-terms.ts";

let folder: string;
let file: Database.Database;
let connection: Connection;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "chest-near-"));
  const path = join(folder, "chest.db");
  await (await openSqliteEngine({ path })).close();
  file = new Database(path);
  connection = new Connection(path, { readonly: true });
});
afterEach(() => {
  connection.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (id: number, words: string) =>
  file
    .prepare("INSERT INTO memory_fts (rowid, scope, title, tags, words, grams) VALUES (?, 't', '', '', ?, '')")
    .run(id, words);

const LETTERS = "aeinorst";
const word = (seed: number) =>
  Array.from({ length: 4 + (seed % 8) }, (_, at) => LETTERS[(seed * (at + 3) + at * at) % LETTERS.length]).join("");

/** Terms of the list that are near. */
const among = (typed: string): string[] => {
  const beginnings = beginningsMeant(typed);
  return (connection.ids("SELECT term FROM memory_terms") as unknown as string[]).filter(
    (term) => isMeantBy(term, typed) && beginnings.some((beginning) => term.startsWith(beginning)),
  );
};

describe("words of the index that are one slip away", () => {
  it("are found on whatever page and in whatever segment they lie", () => {
    file.prepare("INSERT INTO memory_fts (memory_fts, rank) VALUES ('pgsz', 64)").run();
    for (let turn = 0; turn < 9; turn++)
      file.transaction(() => {
        for (let id = 1; id <= 300; id++) put(turn * 1000 + id, `${word(turn * 301 + id)} often`);
      })();
    let found = 0;
    const asked = Array.from({ length: 400 }, (_, nth) => {
      const meant = word(nth * 7 + 1);
      const at = 1 + (nth % (meant.length - 1));
      return meant.slice(0, at) + meant.slice(at + 1);
    });
    for (const typed of [...asked, "zzzzzzzz", "aaaa", "tttttttttttt"]) {
      const near = nearTerms(connection, typed);
      expect([typed, near.toSorted()]).toEqual([typed, among(typed).toSorted()]);
      found += near.length;
    }
    expect(found).toBeGreaterThan(100);
  });

  it("are none in an empty index, and none in one that is not as it is known", () => {
    expect(nearTerms(connection, "kafak")).toEqual([]);
    put(1, "kafka");
    expect(nearTerms(connection, "kafak")).toEqual(["kafka"]);
    file.unsafeMode(true);
    file.exec("UPDATE memory_fts_data SET block = randomblob(length(block)) WHERE id > 1000");
    expect(nearTerms(connection, "kafak")).toEqual([]);
    file.exec("UPDATE memory_fts_data SET block = substr(block, 1, 3) WHERE id > 1000");
    expect(nearTerms(connection, "kafak")).toEqual([]);
    expect(connection.db.inTransaction).toBe(false);
  });
});
