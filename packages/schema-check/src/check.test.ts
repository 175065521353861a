import { beforeAll, expect, it } from "vitest";
import { checkSchema } from "./check.ts";
import { schemaOf } from "./client.ts";
import { modelsOf } from "./schema.ts";
import { describeOnBoth, type TestDatabase } from "./testing/databases.ts";

/** In words of both engines: a list is a text in the one, and written as such in the other. */
const ROWS = [
  "INSERT INTO projects (key, created_at) VALUES ('acme', 1), ('bolt', 1)",
  "INSERT INTO audit_log (at, member_id, op, outcome, memory_ids) VALUES (1, 1, 'remember', 'done', '{1,2}')",
  "INSERT INTO idempotency (member_id, key, tool, request_hash, answer, spaces, at) VALUES (1, 'k', 't', 'h', 'a', '{team}', 1)",
  `INSERT INTO entities (uid, space, kind, name, normalised_name, folded_name, created_at, updated_at)
    VALUES ('e', 'team', 'project', 'Acme', 'acme', 'acme', 1, 1)`,
  `INSERT INTO memories (uid, entity_id, author_id, visibility, space, content, content_hash, content_sha1,
      segmenter_version, layer, created_at, updated_at)
    VALUES ('m', 1, 1, 'team', 'team', 'a fact', 'h', 's', 'v', 'learning', 1, 9007199254740993)`,
];

/** Types of columns by those of fields. */
const TYPES = {
  sqlite: { Int: "INTEGER", String: "TEXT", Float: "REAL", Bytes: "BLOB" },
  postgres: {
    ...{ Int: "integer", BigInt: "bigint", Float: "double precision", Boolean: "boolean", Bytes: "bytea" },
    ...{ String: "text", DateTime: "timestamp with time zone" },
  },
};

const TYPED = {
  sqlite: `SELECT t.name AS "table", c.name AS "column", c.type FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table'`,
  // A database's own type for a kind of text.
  postgres: `SELECT c.relname AS "table", a.attname AS "column", replace(format_type(a.atttypid, NULL), 'uuid', 'text') AS type
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0`,
};

describeOnBoth("the schema", undefined, (open) => {
  let tried: TestDatabase;
  beforeAll(async () => {
    tried = await open();
    await tried.start();
  }, 60_000);

  it("has what the schema of this release says", async () => {
    const { state, tables, own_tables, ...differences } = await checkSchema(tried.target);
    expect(state).toBe("made");
    expect(differences).toEqual({
      ...{ missing_tables: [], missing_columns: [], foreign_tables: [], foreign_columns: [] },
      misrecorded_migrations: [],
    });
    expect(tables.map(({ name }) => name)).toEqual(modelsOf(schemaOf(tried.target.engine)).map(({ name }) => name));
    expect(tables.filter(({ error, rows }) => error !== undefined || rows === null)).toEqual([]);
    expect(own_tables).toEqual(expect.arrayContaining(["_prisma_migrations", "chest_migrations", "memory_text"]));
  });

  it("has each column in the type that the schema says", async () => {
    const { engine } = tried.target;
    const types: Readonly<Record<string, string>> = TYPES[engine];
    const rows = await tried.run(TYPED[engine]);
    const found = new Map(rows.map(({ table, column, type }) => [`${table}.${column}`, type]));
    const said = modelsOf(schemaOf(engine)).flatMap(({ name: table, fields }) =>
      fields.map(({ name, type, isList }) => [`${table}.${name}`, `${types[type]}${isList ? "[]" : ""}`] as const),
    );
    expect(said.length).toBeGreaterThan(200);
    expect(said.filter(([column, type]) => found.get(column) !== type)).toEqual([]);
  });

  it("counts the rows of each table, and reads one", async () => {
    for (const sql of ROWS) await tried.run(sql);
    const { tables } = await checkSchema(tried.target);
    expect(tables.filter(({ error }) => error !== undefined)).toEqual([]);
    const rows = Object.fromEntries(tables.map(({ name, rows: count }) => [name, count]));
    expect(rows).toMatchObject({ projects: 2, entities: 1, memories: 1, audit_log: 1, idempotency: 1, gaps: 0 });
  });

  it("counts nothing more when its time is over", async () => {
    const { state, tables } = await checkSchema(tried.target, { countsForMs: 0 });
    expect(state).toBe("made");
    expect(tables.filter(({ rows }) => rows !== null)).toEqual([]);
  });

  it("names migrations that Prisma's record has otherwise than the ledger, and all where it is missing", async () => {
    const names = (await tried.run("SELECT name FROM chest_migrations ORDER BY name")).map(({ name }) => name);
    await tried.run("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = '1000_init'");
    expect(await checkSchema(tried.target)).toMatchObject({ misrecorded_migrations: ["1000_init"] });
    await tried.run("DROP TABLE _prisma_migrations");
    expect(await checkSchema(tried.target)).toMatchObject({ misrecorded_migrations: names, foreign_tables: [] });
  });

  it("names a foreign table, a foreign column, and what is missing", async () => {
    await tried.run("CREATE TABLE customers (id INTEGER PRIMARY KEY)");
    await tried.run("ALTER TABLE gaps ADD COLUMN colour TEXT");
    await tried.run("ALTER TABLE gaps DROP COLUMN times");
    await tried.run("DROP TABLE store_secrets");
    const facts = await checkSchema(tried.target);
    expect(facts).toMatchObject({
      state: "made",
      missing_tables: ["store_secrets"],
      missing_columns: ["gaps.times"],
      foreign_tables: ["customers"],
      foreign_columns: ["gaps.colour"],
    });
    expect(facts.tables.filter(({ error }) => error !== undefined)).toEqual([
      { name: "gaps", rows: null, error: "P2022" },
      { name: "store_secrets", rows: null, error: "P2021" },
    ]);
  });
});
