import type { DbFacts, SchemaFacts } from "@chest/contracts";
import { describe, expect, it } from "vitest";
import { findingsOfDb, judgeDb } from "./judge-db.ts";

const SOUND: SchemaFacts = {
  state: "made",
  tables: [
    { name: "memories", rows: 7 },
    { name: "gaps", rows: 2 },
  ],
  ...{ missing_tables: [], missing_columns: [], foreign_tables: [], foreign_columns: [] },
  own_tables: ["chest_migrations", "memory_fts"],
};

const db = (schema: Partial<SchemaFacts>, over: Partial<DbFacts> = {}): DbFacts => ({
  ...{ db_path: "/data/chest.db", exists: true, size_bytes: 1, integrity_check: "ok", journal_mode: "wal" },
  ...{ tables_present: [], missing_tables: [], writable: true },
  schema: { ...SOUND, ...schema },
  ...over,
});

describe("the judgement on a database", () => {
  it("counts the rows of a sound one, and names tables beside the schema", () => {
    expect(findingsOfDb(db({}))).toEqual([
      {
        id: "db.schema",
        status: "ok",
        message: "2 tables with 9 rows; beside the schema: chest_migrations, memory_fts",
      },
    ]);
  });

  it.each<[string, Partial<SchemaFacts>, string, RegExp]>([
    ["a missing column", { missing_columns: ["gaps.times"] }, "fail", /^missing: column gaps\.times$/],
    ["a missing table", { missing_tables: ["gaps"] }, "fail", /^missing: table gaps$/],
    ["a row of another type", { tables: [{ name: "gaps", rows: null, error: "P2023" }] }, "fail", /gaps \(P2023\)$/],
    ["a foreign table", { foreign_tables: ["customers"] }, "warn", /^not of this release: table customers\n/],
    ["a foreign column", { foreign_columns: ["gaps.colour"] }, "warn", /column gaps\.colour\n/],
    [
      "another record of migrations",
      { misrecorded_migrations: ["0001_init", "0002_a", "0003_b", "0004_c"] },
      "warn",
      /^Prisma's record of migrations differs from Chest's: 0001_init, 0002_a, 0003_b, and 1 more\n/,
    ],
    [
      "another program's migrations",
      { foreign_tables: ["customers"], misrecorded_migrations: ["20260101_init"] },
      "warn",
      /table customers\n.*\nPrisma's record .*: 20260101_init\n/,
    ],
    ["a check that died", { state: "failed", reason: "it ended" }, "warn", /could not be checked: it ended$/],
    ["a build without the check", { state: "absent", reason: "not in this build" }, "skip", /^not in this build$/],
    ["a table too large to count", { tables: [{ name: "memories", rows: null }] }, "ok", /1 tables were not counted/],
  ])("tells of %s", (_, schema, status, message) => {
    expect(judgeDb("db.schema", db(schema))).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  it("names what is missing once, and not again for the rows that cannot be read for it", () => {
    const lacking = { missing_columns: ["gaps.times"], tables: [{ name: "gaps", rows: null, error: "P2022" }] };
    expect(judgeDb("db.schema", db(lacking)).message).toBe("missing: column gaps.times");
  });

  it("offers a backup of a file, and none of a server, which has its own", () => {
    const lacking = { missing_tables: ["gaps"] };
    const server = { version: "16" } as unknown as NonNullable<DbFacts["server"]>;
    expect(judgeDb("db.schema", db(lacking)).mend).toEqual({ by: "index", commands: ["backup --list"] });
    expect(judgeDb("db.schema", db(lacking, { server }))).not.toHaveProperty("mend");
  });

  it("leaves a backend out that does not tell", () => {
    const { schema: _, ...older } = db({});
    expect(judgeDb("db.schema", older)).toMatchObject({ status: "skip" });
  });
});
