import type { Engine } from "@chest/core/ports";
import { TINY_IDENTITY } from "@chest/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../open.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";
import { Connections } from "./connection.ts";
import { migrate, readEarlier, readMigrations } from "./migrations.ts";

const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres())("Prisma's record of migrations", () => {
  let server: TestServer;
  let url: string;
  let warned: string[];
  const engines: Engine[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);
  beforeEach(async () => {
    url = await server.database();
    warned = [];
  }, PATIENCE_MS);
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.close()));
  }, PATIENCE_MS);

  const log = { info: () => undefined, warn: (_: object, message: string) => void warned.push(message) };
  const open = async (at = url) => {
    const engine = await openPostgresEngine({ url: at, active: TINY_IDENTITY, pool: 4, log });
    engines.push(engine);
    return engine;
  };
  const recorded = async () =>
    (await onceOn(url, "SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1")).map(({ name }) => name);
  const NAMES = readMigrations().map(({ name }) => name);
  const ofChest = (messages: readonly string[]) => messages.filter((message) => message.includes("_prisma_migrations"));

  it(
    "is made once by several that start at once, on a new database and on one that lost it",
    async () => {
      await Promise.all([open(), open(), open()]);
      expect(await recorded()).toEqual(NAMES);
      await onceOn(url, "DROP TABLE _prisma_migrations");
      await Promise.all([open(), open(), open()]);
      expect(await recorded()).toEqual(NAMES);
      expect(ofChest(warned)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "is made for tables of the release before",
    async () => {
      const connections = new Connections({ url, name: "older", most: 2, statementTimeoutMs: 0 });
      try {
        await migrate(connections, readEarlier());
        expect(await recorded()).toEqual(readEarlier().map(({ name }) => name));
        await onceOn(url, "DROP TABLE _prisma_migrations");
        expect(await migrate(connections)).toEqual(NAMES);
      } finally {
        await connections.close();
      }
      expect(await recorded()).toEqual(NAMES);
    },
    PATIENCE_MS,
  );

  it(
    "of another program keeps Chest out of its database, which stays as it is",
    async () => {
      await onceOn(
        url,
        `CREATE TABLE customers (id integer);
         CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, migration_name varchar(255));
         INSERT INTO _prisma_migrations VALUES ('1', '20260101000000_init')`,
      );
      await expect(open()).rejects.toMatchObject({
        name: "CannotOpen",
        message: expect.stringContaining("tables of another program"),
        hint: expect.stringContaining("CHEST_DATABASE_URL"),
      });
      expect(await onceOn(url, "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'")).toEqual(
        expect.arrayContaining([{ name: "customers" }, { name: "_prisma_migrations" }]),
      );
      expect(await recorded()).toEqual(["20260101000000_init"]);
    },
    PATIENCE_MS,
  );

  it(
    "that this user may not write is said, and the store opens",
    async () => {
      await open();
      await onceOn(
        url,
        `DROP TABLE _prisma_migrations;
         DO $$ BEGIN CREATE ROLE guest LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
         GRANT ALL ON ALL TABLES IN SCHEMA public TO guest; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO guest`,
      );
      const engine = await open(url.replace(/\/\/[^@]*@/, "//guest@"));
      await expect(engine.inspect.ping()).resolves.toBeUndefined();
      expect(ofChest(warned)).toEqual([expect.stringMatching(/could not be made a copy of the ledger/)]);
    },
    PATIENCE_MS,
  );
});
