import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPostgresEngine } from "@chest/store-postgres";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "@chest/store-postgres/testing";
import { openSqliteEngine } from "@chest/store-sqlite";
import { TINY_IDENTITY } from "@chest/testing";
import { afterAll, beforeAll, describe } from "vitest";
import type { Target } from "../client.ts";

type Row = Readonly<Record<string, unknown>>;

/** Database without tables, until a store starts in it. */
export interface TestDatabase {
  readonly target: Target;
  /** Opens the store as a backend does at its start, and closes it. */
  start(): Promise<void>;
  run(sql: string): Promise<readonly Row[]>;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Runs a suite on a file of SQLite, and on a PostgreSQL server if this machine has one. */
export function describeOnBoth(name: string, log: Log | undefined, suite: (open: () => Promise<TestDatabase>) => void) {
  const options = { active: TINY_IDENTITY, ...(log && { log }) };

  describe(`${name} of a file`, () => {
    const folders: string[] = [];
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
    suite(async () => {
      const folder = mkdtempSync(join(tmpdir(), "chest-schema-check-"));
      folders.push(folder);
      const path = join(folder, "chest.db");
      return {
        target: { engine: "sqlite", path },
        start: async () => (await openSqliteEngine({ path, searchThreads: 0, ...options })).close(),
        async run(sql) {
          const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
          try {
            if (sql.startsWith("SELECT")) return db.prepare(sql).all();
            db.exec(sql);
            return [];
          } finally {
            db.close();
          }
        },
      };
    });
  });

  describe.skipIf(!hasPostgres())(`${name} of a database of PostgreSQL`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startPostgres();
    }, 60_000);
    afterAll(() => server?.stop(), 60_000);
    suite(async () => {
      const url = await server.database();
      return {
        target: { engine: "postgres", url },
        start: async () => (await openPostgresEngine({ url, pool: 4, ...options })).close(),
        run: (sql) => onceOn(url, sql),
      };
    });
  });
}
