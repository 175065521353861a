import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { earlierIn } from "@chest/store/database/earlier-migrations";
import { prismaTable } from "@chest/store/database/prisma-record";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Target } from "./client.ts";
import { describeOnBoth, type TestDatabase } from "./testing/databases.ts";
import { openPrismaMigrate } from "./testing/prisma-engine.ts";

type Row = Readonly<Record<string, unknown>>;

let warned: string[];
beforeEach(() => {
  warned = [];
});
const log = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message) };

const RECORD = "SELECT * FROM _prisma_migrations ORDER BY migration_name";
const LEDGER = "SELECT * FROM chest_migrations ORDER BY name";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const folderOf = (engine: Target["engine"]): string =>
  join(import.meta.dirname, "../../../prisma", engine, "migrations");

/** Rows that Prisma would have written for the migrations of the folder, but for ids and times. */
function expected(engine: Target["engine"]): Row[] {
  const folder = folderOf(engine);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => ({
      migration_name: name,
      checksum: createHash("sha256")
        .update(readFileSync(join(folder, name, "migration.sql")))
        .digest("hex"),
      ...{ logs: null, rolled_back_at: null, applied_steps_count: 1 },
    }));
}

const values = (values: Row): string =>
  `INSERT INTO _prisma_migrations (${Object.keys(values).join(", ")}) VALUES ('${Object.values(values).join("', '")}')`;
const FOREIGN = values({ id: "another", checksum: "c", migration_name: "20260101000000_customers" });

/** Makes a store as an earlier release left it. */
async function makeEarlier({ target: { engine }, run }: TestDatabase): Promise<void> {
  const at = engine === "sqlite" ? "INTEGER NOT NULL DEFAULT 7" : "timestamptz NOT NULL DEFAULT now()";
  await run(`CREATE TABLE chest_migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at ${at})`);
  await run(prismaTable(engine));
  for (const { name, sha256, sql } of earlierIn(folderOf(engine))) {
    await run(sql);
    await run(`INSERT INTO chest_migrations (name, sha256) VALUES ('${name}', '${sha256}')`);
    await run(values({ id: name, checksum: sha256, migration_name: name }));
  }
}

describeOnBoth("a migration", log, (open) => {
  let tried: TestDatabase;
  beforeAll(async () => {
    tried = await open();
    await tried.start();
  }, 60_000);

  const record = () => tried.run(RECORD);
  const asPrisma = async ({ target } = tried) => {
    const migrate = await openPrismaMigrate(target);
    try {
      return { status: await migrate.status(), deployed: await migrate.deploy() };
    } finally {
      await migrate.close();
    }
  };
  /** Everything is recorded, in Prisma's form and with the ledger's times. */
  const assertCopied = async ({ target: { engine }, run } = tried) => {
    const rows = await run(RECORD);
    expect(rows.map(({ id, started_at, finished_at, ...row }) => row)).toEqual(
      expected(engine).map((row) => expect.objectContaining(row)),
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { id } of rows) expect(id).toMatch(UUID);
    const timeOf = (at: unknown) => (at instanceof Date ? at.getTime() : Number(at));
    const ledger = await run(LEDGER);
    const factor = engine === "sqlite" ? 1000 : 1;
    const times = ledger.map(({ applied_at }) => timeOf(applied_at) * factor);
    expect(rows.map(({ finished_at }) => timeOf(finished_at))).toEqual(times);
    expect(rows.map(({ started_at }) => timeOf(started_at))).toEqual(times);
  };

  it("of a new store is recorded as Prisma would, and Prisma finds it up to date", async () => {
    await assertCopied();
    expect(await asPrisma()).toEqual({
      status: { editedMigrationNames: [], failedMigrationNames: [], hasMigrationsTable: true, history: null },
      deployed: [],
    });
    await assertCopied();
  }, 60_000);

  it("that is recorded right is not recorded again", async () => {
    const before = await record();
    await tried.start();
    expect(await record()).toEqual(before);
    expect(warned).toEqual([]);
  }, 60_000);

  it.each([
    ["is missing", "DROP TABLE _prisma_migrations"],
    ["is empty", "DELETE FROM _prisma_migrations"],
    ["lacks a row", "DELETE FROM _prisma_migrations WHERE migration_name = '1000_init'"],
    ["has another checksum", "UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = '1000_init'"],
    ["has one as failed", "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '1000_init'"],
    [
      "has one as undone",
      "UPDATE _prisma_migrations SET rolled_back_at = started_at WHERE migration_name = '1000_init'",
    ],
    [
      "has one under another name",
      "UPDATE _prisma_migrations SET migration_name = '0001_other' WHERE migration_name = '1000_init'",
    ],
    [
      "has one twice",
      "INSERT INTO _prisma_migrations SELECT 'again', checksum, finished_at, migration_name, logs, rolled_back_at, started_at, 1 FROM _prisma_migrations WHERE migration_name = '1000_init'",
    ],
    ["has a row of nobody", FOREIGN],
    [
      "is a table of another form without rows",
      "DROP TABLE _prisma_migrations; CREATE TABLE _prisma_migrations (id TEXT)",
    ],
  ])(
    "whose record %s is recorded again by a start",
    async (_, sql) => {
      await tried.run(sql);
      await tried.start();
      await assertCopied();
      expect(warned).toEqual([]);
    },
    60_000,
  );

  it("is found wrong by Prisma until then", async () => {
    await tried.run("UPDATE _prisma_migrations SET checksum = 'x'");
    const migrate = await openPrismaMigrate(tried.target);
    const names = expected(tried.target.engine).map(({ migration_name }) => migration_name);
    expect(await migrate.status()).toMatchObject({ editedMigrationNames: names });
    await tried.run("DELETE FROM _prisma_migrations");
    expect(await migrate.status()).toMatchObject({ history: { diagnostic: "databaseIsBehind" } });
    await migrate.close();
    await tried.start();
    expect(await asPrisma()).toMatchObject({ status: { editedMigrationNames: [], history: null }, deployed: [] });
  }, 60_000);

  it("of an earlier release is recorded as that of a new store, beside tables of another program, too", async () => {
    const earlier = await open();
    await makeEarlier(earlier);
    await earlier.run("CREATE TABLE customers (id INTEGER)");
    await earlier.start();
    await assertCopied(earlier);
    expect(await asPrisma(earlier)).toMatchObject({
      status: { editedMigrationNames: [], history: null },
      deployed: [],
    });
    expect(warned).toEqual([]);
  }, 60_000);

  it("beside another program's is said, and that record stays as it is", async () => {
    await tried.run("CREATE TABLE customers (id INTEGER)");
    await tried.run(FOREIGN);
    await tried.run("DELETE FROM _prisma_migrations WHERE migration_name = '1000_init'");
    const before = await record();
    await tried.start();
    expect(await record()).toEqual(before);
    expect(warned).toEqual([expect.stringContaining("another program records its migrations")]);
    await tried.run("DROP TABLE customers");
    await tried.start();
    await assertCopied();
  }, 60_000);

  it("beside a table of that name and another form is said", async () => {
    await tried.run("DROP TABLE _prisma_migrations");
    await tried.run("CREATE TABLE _prisma_migrations (version INTEGER)");
    await tried.run("INSERT INTO _prisma_migrations VALUES (7)");
    await tried.start();
    expect(await tried.run("SELECT * FROM _prisma_migrations")).toEqual([{ version: 7 }]);
    expect(warned).toEqual([expect.stringContaining("another program records its migrations")]);
  }, 60_000);
});
