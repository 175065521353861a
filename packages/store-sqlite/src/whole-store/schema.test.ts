import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Prisma, PrismaClient } from "@chest/store/generated/client";
import { MEAN_SINCE } from "@chest/store/memories/entity-events";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "chest-schema-"));
const path = join(folder, "chest.db");
const models = Object.values(Prisma.ModelName);

interface Model {
  findMany(args: { readonly take: number }): Promise<readonly unknown[]>;
}

let client: PrismaClient;
let db: Database.Database;
beforeAll(async () => {
  await (await openSqliteEngine({ path })).close();
  client = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: `file:${path}` }) });
  db = new Database(path);
});
afterAll(async () => {
  await client.$disconnect();
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The columns that the generated client knows of a model. */
function columnsOf(model: string): readonly string[] {
  const name = `${model[0]?.toUpperCase()}${model.slice(1)}ScalarFieldEnum`;
  const found = Object.entries(Prisma).find(([key]) => key.toLowerCase() === name.toLowerCase());
  return Object.keys(Object(found?.[1])).sort();
}

describe("the Prisma schema", () => {
  it("knows every table but those of search and of the runner", () => {
    const tables = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all()
      .map(String)
      .filter((name) => !/^(memory_text.*|memory_fts.*|memory_term.*|chest_migrations)$/.test(name));
    expect(tables).toEqual([...models].sort());
  });

  it.each(models)("agrees with the migrated table %s, and reads it", async (model) => {
    const columns = db.prepare("SELECT name FROM pragma_table_info(?) ORDER BY name").pluck().all(model);
    expect(columns.length).toBeGreaterThan(0);
    expect(columnsOf(model)).toEqual(columns);
    const reading = client[model as keyof PrismaClient] as unknown as Model;
    await expect(reading.findMany({ take: 1 })).resolves.toBeInstanceOf(Array);
  });
});

it("has an index that holds all that each write asks of the other memories of its entity", () => {
  const [step, ...others] = db.prepare(`EXPLAIN QUERY PLAN ${MEAN_SINCE}`).all(1, 0) as { detail: string }[];
  expect(step?.detail).toMatch(/^SEARCH memories USING COVERING INDEX .*\(entity_id=\? AND created_at>\?\)$/);
  expect(others).toEqual([]);
});
