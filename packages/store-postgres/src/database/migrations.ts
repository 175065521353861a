import { ChestError } from "@chest/contracts";
import { CannotOpen } from "@chest/core/ports";
import { earlierIn, fromEarlier, notOfRelease } from "@chest/store/database/earlier-migrations";
import { type Applied, folderAmong, type Migration, migrationsIn } from "@chest/store/database/migrations";
import { recordForPrisma } from "@chest/store/database/prisma-record";
import type { Connections } from "./connection.ts";

const migrationsFolder = (): string =>
  folderAmong(["../../../../prisma/postgres/migrations", "./migrations-postgres"], import.meta.url);

/** The migrations of this release, in order. */
export const readMigrations = (): Migration[] => migrationsIn(migrationsFolder());

/** The migrations of earlier releases, in order. */
export const readEarlier = (): Migration[] => earlierIn(migrationsFolder());

const LEDGER = `CREATE TABLE IF NOT EXISTS chest_migrations (
  name text PRIMARY KEY, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`;

// Two backends that start at once do not migrate at once.
const LOCK = "SELECT pg_advisory_xact_lock(6, 0)";

type Warn = (fields: object, message: string) => void;

/**
 * Applies what is still to apply, each in a transaction of its own, and copies the ledger for Prisma; throws for a
 * database that is not ours, or of another release.
 */
export async function migrate(
  connections: Connections,
  migrations = readMigrations(),
  warn: Warn = () => undefined,
): Promise<string[]> {
  const applied = await applyDue(connections, migrations);
  await recordForPrisma({
    reading: connections,
    migrations: () => [...readEarlier(), ...migrations],
    warn,
    transaction: (work) =>
      connections.transaction(async (tx) => {
        await tx.run(LOCK);
        return work(tx);
      }),
  });
  return applied;
}

async function applyDue(connections: Connections, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = [];
  for (;;) {
    const name = await connections.transaction(async (tx) => {
      await tx.run(LOCK);
      const [next] = fromEarlier(await due(tx, migrations), await appliedTo(tx), migrationsFolder);
      if (!next) return undefined;
      await tx.script(`${LEDGER};\n${next.sql}`);
      await tx.run("INSERT INTO chest_migrations (name, sha256) VALUES (?, ?)", next.name, next.sha256);
      return next.name;
    });
    if (name === undefined) return applied;
    applied.push(name);
  }
}

const TABLES = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') ORDER BY c.relname`;

/** Tables that Chest would share with another program: its own names, and the record of Prisma's migrations. */
const FOREIGN = ["memories", "meta", "_prisma_migrations"];

/** Lists the migrations that are still to apply. */
export async function due(
  connection: Pick<Connections, "all">,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const tables = (await connection.all<{ name: string }>(TABLES)).map(({ name }) => name);
  if (!tables.includes("chest_migrations")) {
    if (FOREIGN.some((name) => tables.includes(name))) throw notOurs();
    return migrations;
  }
  const applied = await appliedTo(connection);
  const needed = await neededBy(connection);
  for (const { name, sha256 } of applied) {
    if (name < (migrations[0]?.name ?? "")) continue;
    const known = migrations.find((migration) => migration.name === name);
    // During a rolling update a backend meets tables that are a release ahead.
    if (!known && migrations.some((migration) => migration.name === needed)) continue;
    if (!known) throw ofTheFuture(needed ?? name, migrations.at(-1)?.name ?? "none");
    if (known.sha256 !== sha256) throw notOfRelease(name);
  }
  return migrations.filter(({ name }) => !applied.some((row) => row.name === name));
}

/** Reads the ledger; empty for a database without one. */
async function appliedTo(connection: Pick<Connections, "all">): Promise<Applied[]> {
  const isThere = await connection.all("SELECT 1 WHERE to_regclass('chest_migrations') IS NOT NULL");
  if (isThere.length === 0) return [];
  return connection.all<Applied>("SELECT name, sha256 FROM chest_migrations ORDER BY name");
}

/** The migration that a backend has to know; undefined of the first releases, which needed the very same. */
const neededBy = async (connection: Pick<Connections, "all">): Promise<string | undefined> =>
  (await connection.all<{ value: string }>("SELECT value FROM meta WHERE key = 'needs'"))[0]?.value;

/** Asked while a backend runs: throws once another one has made tables that this release cannot work with. */
export async function assertStillKnown(connection: Pick<Connections, "all">, names: ReadonlySet<string>) {
  const needed = await neededBy(connection);
  if (needed === undefined || names.has(needed)) return;
  throw new ChestError("UNAVAILABLE", `the database needs a newer release: it has ${needed}`, {
    hint: "the operator replaces this backend by the newer release",
  });
}

const ofTheFuture = (found: string, newest: string) =>
  new CannotOpen(
    `the database needs a newer release: it has ${found}, this release knows up to ${newest}`,
    "start the newer release; nothing was changed",
  );

const notOurs = () =>
  new CannotOpen(
    "the database has tables of another program",
    "name a database of its own in CHEST_DATABASE_URL; this one was not changed",
  );
