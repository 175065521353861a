import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MEAN_SINCE } from "@chest/store/memories/entity-events";
import { newsStatements } from "@chest/store/queries/home";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SQLITE } from "../database/async-connection.ts";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-schema-"));
const path = join(folder, "chest.db");

let db: Database.Database;
beforeAll(async () => {
  await (await openSqliteEngine({ path })).close();
  db = new Database(path);
});
afterAll(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("has an index that holds all that each write asks of the other memories of its entity", () => {
  const [step, ...others] = db.prepare(`EXPLAIN QUERY PLAN ${MEAN_SINCE}`).all(1, 0) as { detail: string }[];
  expect(step?.detail).toMatch(/^SEARCH memories USING COVERING INDEX .*\(entity_id=\? AND created_at>\?\)$/);
  expect(others).toEqual([]);
});

it("has indexes that hold all that Home asks of each memory, session notes among them", () => {
  const { made, newest, rules, opened } = newsStatements(SQLITE);
  for (const [statement, index] of [
    [made, "memories_listed"],
    [newest, "memories_listed"],
    [rules, "memories_listed"],
    [opened, "memories_used"],
  ] as const) {
    const values = Array.from(statement.matchAll(/\?/g), () => "[]");
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...values) as { detail: string }[];
    expect(steps.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(new RegExp(`^SEARCH m USING COVERING INDEX ${index} `)),
    );
  }
});
