import { TINY_IDENTITY } from "@chest/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresEngine } from "../open.ts";
import { hasPostgres, onceOn, startPostgres, type TestServer } from "../testing/server.ts";
import { Connections } from "./connection.ts";
import { migrate, readEarlier, readMigrations } from "./migrations.ts";

const PATIENCE_MS = 60_000;
const EARLIER = readEarlier();
const NAMES = readMigrations().map(({ name }) => name);

const OURS = "current_schema()::text::regnamespace";
/** The parts of a schema, each as PostgreSQL itself writes it. */
const PARTS = {
  tables: `SELECT relname::text, relkind::text, relreplident::text, reloptions, relrowsecurity, relforcerowsecurity,
    relispartition, pg_get_partkeydef(oid) AS parts FROM pg_class WHERE relnamespace = ${OURS} ORDER BY 1`,
  columns: `SELECT c.relname::text, a.attname::text, a.attnum, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull,
    a.attidentity::text, a.attgenerated::text, a.attstorage::text, a.attcollation::regcollation::text AS collation,
    pg_get_expr(d.adbin, d.adrelid) AS value FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = ${OURS} AND c.relkind IN ('r', 'p') AND a.attnum > 0 ORDER BY 1, 3`,
  indexes: `SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1`,
  constraints: `SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE connamespace = ${OURS} ORDER BY 1, 2`,
  triggers: `SELECT pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = ${OURS} AND NOT t.tgisinternal ORDER BY 1`,
  functions: `SELECT pg_get_functiondef(p.oid) AS definition FROM pg_proc p WHERE p.pronamespace = ${OURS}
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1`,
  policies: "SELECT tablename::text, policyname::text, roles, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2",
  ledger: "SELECT name, sha256 FROM chest_migrations ORDER BY 1",
  record: "SELECT migration_name, checksum, applied_steps_count FROM _prisma_migrations ORDER BY 1",
  meta: "SELECT key, CASE WHEN key IN ('store_uid', 'places') THEN '' ELSE value END AS value FROM meta ORDER BY 1",
  members: "SELECT id, name, role, status FROM members ORDER BY 1",
};

describe.skipIf(!hasPostgres())("a database of an earlier release", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => server?.stop(), PATIENCE_MS);

  async function connected<T>(url: string, work: (connections: Connections) => Promise<T>): Promise<T> {
    const connections = new Connections({ url, name: "earlier", most: 2, statementTimeoutMs: 0 });
    try {
      return await work(connections);
    } finally {
      await connections.close();
    }
  }
  async function ofEarlier(applied = EARLIER.length): Promise<string> {
    const url = await server.database();
    await connected(url, (connections) => migrate(connections, EARLIER.slice(0, applied)));
    return url;
  }
  const upgrade = (url: string) => connected(url, (connections) => migrate(connections));
  const contents = async (url: string) =>
    Object.fromEntries(
      await Promise.all(Object.entries(PARTS).map(async ([part, sql]) => [part, await onceOn(url, sql)])),
    );

  it(
    "becomes what a new one is, with few of its migrations and with all",
    async () => {
      const fresh = await server.database();
      expect(await upgrade(fresh)).toEqual(NAMES);
      const expected = await contents(fresh);
      for (const applied of [1, 7, EARLIER.length]) {
        const url = await ofEarlier(applied);
        expect(await upgrade(url)).toEqual(NAMES);
        expect(await contents(url), EARLIER[applied - 1]?.name).toEqual(expected);
      }
    },
    PATIENCE_MS,
  );

  it(
    "is upgraded once by several that start at once, while a backend of that release says that it needs a newer one",
    async () => {
      const url = await ofEarlier();
      const log = { info: () => undefined, warn: () => undefined };
      const start = () => openPostgresEngine({ url, active: TINY_IDENTITY, pool: 4, log });
      const engines = await Promise.all([start(), start(), start()]);
      await Promise.all(engines.map((engine) => engine.close()));
      const before = await contents(url);
      await expect(connected(url, (connections) => migrate(connections, EARLIER))).rejects.toMatchObject({
        name: "CannotOpen",
        message: "the database needs a newer release: it has 1000_init, this release knows up to 0010_home",
      });
      expect(await contents(url)).toEqual(before);
      expect(before.ledger).toEqual(readMigrations().map(({ name, sha256 }) => ({ name, sha256 })));
    },
    PATIENCE_MS,
  );

  it(
    "is as it was where the way to this release fails",
    async () => {
      const url = await ofEarlier(3);
      const before = await contents(url);
      await onceOn(url, "CREATE TABLE inbox_notes (id integer)");
      await expect(upgrade(url)).rejects.toThrow("inbox_notes");
      await onceOn(url, "DROP TABLE inbox_notes");
      expect(await contents(url)).toEqual(before);
      await onceOn(url, "UPDATE chest_migrations SET sha256 = 'x' WHERE name = '0002_needs'");
      await expect(upgrade(url)).rejects.toMatchObject({ message: expect.stringContaining("0002_needs") });
    },
    PATIENCE_MS,
  );
});
