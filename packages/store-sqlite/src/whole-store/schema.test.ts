import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MEAN_SINCE } from "@chest/store/memories/entity-events";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
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
