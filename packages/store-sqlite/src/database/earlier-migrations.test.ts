import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { listBackups, restoreStore } from "../backups/index.ts";
import { openSqliteEngine } from "../index.ts";
import { openBriefly } from "../open-for-hook.ts";
import { apply, readEarlier, readMigrations, steps } from "./migrations.ts";

const root = mkdtempSync(join(tmpdir(), "chest-earlier-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const EARLIER = readEarlier();
const NEWEST = EARLIER.at(-1)?.name;

type Row = Readonly<Record<string, unknown>>;
const all = (db: Database.Database, sql: string): Row[] => db.prepare<[], Row>(sql).all();

function inFile<T>(path: string, work: (db: Database.Database) => T): T {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  try {
    db.pragma("synchronous = OFF");
    return work(db);
  } finally {
    db.close();
  }
}

/** A store of the earlier release that had this many migrations. */
function ofEarlier(name: string, applied = EARLIER.length): string {
  const path = join(root, name, "chest.db");
  inFile(path, (db) => apply(db, EARLIER.slice(0, applied)));
  return path;
}

const start = async (path: string, migrations = readMigrations()) =>
  (await openSqliteEngine({ path, migrations, searchThreads: 0, synchronous: "NORMAL" })).close();

/** The text of a statement without comments, line breaks and quotes that say nothing. */
const plain = (sql: unknown): string =>
  String(sql)
    .replaceAll(/--.*$/gm, "")
    .replace(/^CREATE TABLE "(\w+)"/, "CREATE TABLE $1")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1");

/** Values that are drawn for each store, and times. */
const OWN = new Set(["created_at", "applied_at", "started_at", "finished_at"]);
const drawn = (table: unknown, row: Row): Row => ({
  ...Object.fromEntries(Object.entries(row).filter(([column]) => !OWN.has(column))),
  ...(["store_uid", "places"].includes(String(row.key)) ? { value: "drawn" } : {}),
  ...(table === "_prisma_migrations" ? { id: "drawn" } : {}),
});

/** Counts of past changes: of the settings of the text index, and of ids before the first row. */
const isCount = (table: unknown, row: Row): boolean =>
  (table === "memory_fts_data" && row.id === 10) || (table === "sqlite_sequence" && row.seq === 0);

/** Schema, rows and settings of a database. */
function contents(db: Database.Database) {
  const schema = all(db, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name");
  const tables = schema.filter(({ type, sql }) => type === "table" && !/^CREATE VIRTUAL/.test(String(sql)));
  const rows = tables.map(({ name }) => [
    name,
    all(db, `SELECT * FROM "${name}"`)
      .filter((row) => !isCount(name, row))
      .map((row) => JSON.stringify(drawn(name, row)))
      .sort(),
  ]);
  const settings = ["auto_vacuum", "encoding", "journal_mode", "page_size", "user_version", "application_id"];
  return {
    schema: schema.map(({ sql, ...entry }) => ({ ...entry, sql: plain(sql) })),
    columns: tables.map(({ name }) => all(db, `PRAGMA table_xinfo("${name}")`)),
    rows,
    settings: settings.map((name) => [name, db.pragma(name, { simple: true })]),
  };
}

describe("a store of an earlier release", () => {
  it("becomes what a new store is", async () => {
    const [fresh, oldest] = [join(root, "fresh/chest.db"), ofEarlier("oldest", 1)];
    for (const path of [fresh, oldest]) await start(path);
    expect(inFile(oldest, contents)).toEqual(inFile(fresh, contents));
    expect(inFile(fresh, contents).schema.length).toBeGreaterThan(100);
  });

  it("becomes it from any of its migrations on", () => {
    const [fresh, growing] = [new Database(":memory:"), new Database(":memory:")];
    apply(fresh, readMigrations());
    const expected = contents(fresh);
    for (const [at, migration] of EARLIER.entries()) {
      apply(growing, [migration]);
      if (at % 4 !== 0 && migration.name !== NEWEST) continue;
      const store = new Database(growing.serialize());
      apply(store, steps(store, readMigrations(), "a store"));
      expect(contents(store), migration.name).toEqual(expected);
    }
  });

  it("is backed up first, and the backup opens with the release that made it, and with this one", async () => {
    const path = ofEarlier("backed-up");
    await start(path);
    const [backup, ...others] = await listBackups(join(path, "../backups"));
    expect(others).toEqual([]);
    expect(backup?.path).toMatch(/before-1000_init\.db$/);

    await restoreStore({ path, from: backup?.path ?? "" });
    await start(path, EARLIER);
    await start(path);
    expect(inFile(path, (db) => all(db, "SELECT name FROM chest_migrations"))).toEqual(
      readMigrations().map(({ name }) => ({ name })),
    );
  });

  it("is as it was where the way to this release ends before its commit", async () => {
    const path = ofEarlier("ended", 20);
    const before = inFile(path, (db) => all(db, "SELECT name, sql FROM sqlite_master"));
    inFile(path, (db) => {
      const [step] = steps(db, readMigrations(), path);
      if (!step) throw new Error("there is something to apply");
      expect(() => apply(db, [{ ...step, sql: `${step.sql} INSERT INTO nowhere VALUES (1);` }])).toThrow("1000_init");
    });
    expect(inFile(path, (db) => all(db, "SELECT name, sql FROM sqlite_master"))).toEqual(before);
    await start(path);
  });

  it("with a migration that is not one of them is refused, and stays as it is", async () => {
    const path = ofEarlier("strange");
    inFile(path, (db) => db.exec("UPDATE chest_migrations SET sha256 = 'x' WHERE name = '0030_access'"));
    const before = readFileSync(path);
    await expect(start(path)).rejects.toMatchObject({ message: expect.stringContaining("0030_access") });
    expect(readFileSync(path)).toEqual(before);
    expect(existsSync(join(path, "../backups"))).toBe(false);
  });

  it("is left alone by a hook", async () => {
    const path = ofEarlier("hooked");
    const clock = { now: () => new Date() };
    const leftMs = () => 100;
    const opened = await openBriefly({ path, mayWrite: true, migrations: readMigrations(), clock, leftMs });
    expect(opened).toBeUndefined();
  });
});

it("an earlier release says that a store is of a newer one, and leaves it as it is", async () => {
  const path = join(root, "newer/chest.db");
  await start(path);
  const before = readFileSync(path);
  await expect(start(path, EARLIER)).rejects.toMatchObject({
    message: expect.stringMatching(
      new RegExp(`is of a newer release: it has 1000_init, this release knows up to ${NEWEST}`),
    ),
  });
  expect(readFileSync(path)).toEqual(before);
});
