import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteEngine } from "../index.ts";
import { FRESH_SCHEMA } from "./fresh-schema.ts";
import { apply, readMigrations } from "./migrations.ts";

const root = mkdtempSync(join(tmpdir(), "chest-fresh-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Rows that a new store has, with what is another in each. */
const ROWS = `INSERT INTO meta (key, value) VALUES ('seq', '0'), ('store_uid', lower(hex(randomblob(16)))), ('places', lower(hex(randomblob(8))));
INSERT INTO members (id, name, status, created_at) VALUES (1, 'shared', 'active', unixepoch()), (2, 'local', 'active', unixepoch()), (0, 'maintenance', 'removed', unixepoch());
INSERT INTO memory_fts (memory_fts, rank) VALUES ('rank', 'bm25(0, 2, 1.5, 1, 0.5)'), ('secure-delete', 0);
`;
const RANDOM = ["store_uid", "places"];

type Row = Readonly<Record<string, unknown>>;
const all = (db: Database.Database, sql: string): Row[] => db.prepare<[], Row>(sql).all();
const quoted = (name: unknown) => `"${name}"`;

/** Values that are drawn for each store. */
const drawnIn = (table: unknown, row: Row): Row => ({
  ...(RANDOM.includes(String(row.key)) ? { value: "drawn" } : {}),
  ...(table === "_prisma_migrations" ? { id: "drawn" } : {}),
});

/** Counts of what was done to it: how often the settings of the text index changed, and of no row that there was an id. */
const isCount = (table: unknown, row: Row): boolean =>
  (table === "memory_fts_data" && row.id === 10) || (table === "sqlite_sequence" && row.seq === 0);

/** Everything that a database holds but for what is drawn, counted or the time: the schema, the rows of every table, the settings of the file. */
function contents(db: Database.Database) {
  const schema = all(db, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name");
  const tables = schema.filter(({ type, sql }) => type === "table" && !/^CREATE VIRTUAL/.test(String(sql)));
  const rows = tables.map(({ name }) => [
    name,
    all(db, `SELECT * FROM ${quoted(name)}`)
      .filter((row) => !isCount(name, row))
      .map(({ created_at, applied_at, started_at, finished_at, ...row }) => ({ ...row, ...drawnIn(name, row) }))
      .map((row) => JSON.stringify(row))
      .sort(),
  ]);
  const settings = ["auto_vacuum", "encoding", "journal_mode", "page_size", "user_version", "application_id"];
  return { schema, rows, settings: settings.map((name) => [name, db.pragma(name, { simple: true })]) };
}

/** Statements that make the schema anew, in the order in which it came about. */
function statements(db: Database.Database): string {
  const made = all(db, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid");
  const virtual = made.filter(({ sql }) => /^CREATE VIRTUAL/.test(String(sql))).map(({ name }) => String(name));
  const isOwn = (name: string) => !virtual.some((table) => name.startsWith(`${table}_`) && isShadow(db, name));
  return made
    .filter(({ name }) => name !== "chest_migrations" && !String(name).startsWith("sqlite_") && isOwn(String(name)))
    .map(({ sql }) => `${sql};\n`)
    .join("");
}
const isShadow = (db: Database.Database, name: string): boolean =>
  db.prepare("SELECT type FROM pragma_table_list WHERE name = ?").pluck().get(name) === "shadow";

describe("the schema of a new store", () => {
  const chained = new Database(join(root, "chained.db"));
  chained.pragma("journal_mode = WAL");
  apply(chained, readMigrations());
  afterAll(() => chained.close());

  it("is written from the migrations", async () => {
    await expect(
      `-- Made from the migrations by fresh-schema.test.ts.\n${statements(chained)}${ROWS}`,
    ).toMatchFileSnapshot(`../../../../prisma/sqlite/migrations/${FRESH_SCHEMA}`);
  });

  it("is theirs, rows and settings included", async () => {
    const [made, throughMigrations] = ["made.db", "through-migrations.db"].map((name) => join(root, name)) as [
      string,
      string,
    ];
    await (await openSqliteEngine({ path: made })).close();
    await (await openSqliteEngine({ path: throughMigrations, migrations: readMigrations() })).close();

    const [one, other] = [made, throughMigrations].map((path) => new Database(path, { readonly: true })) as [
      Database.Database,
      Database.Database,
    ];
    expect(contents(one)).toEqual(contents(other));
    expect(all(one, "SELECT name FROM chest_migrations")).toHaveLength(readMigrations().length);
    one.close();
    other.close();
  });
});
