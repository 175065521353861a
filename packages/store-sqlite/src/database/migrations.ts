import { CannotOpen } from "@chest/core/ports";
import { earlierIn, fromEarlier, notOfRelease } from "@chest/store/database/earlier-migrations";
import { type Applied, folderAmong, type Migration, migrationsIn } from "@chest/store/database/migrations";
import type Database from "better-sqlite3";

export type { Migration };

const migrationsFolder = (): string =>
  folderAmong(["../../../../prisma/sqlite/migrations", "./migrations"], import.meta.url);

/** The migrations of this release, in order. */
export const readMigrations = (): Migration[] => migrationsIn(migrationsFolder());

/** The migrations of earlier releases, in order. */
export const readEarlier = (): Migration[] => earlierIn(migrationsFolder());

const LEDGER =
  "CREATE TABLE IF NOT EXISTS chest_migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) WITHOUT ROWID";

/** Key of the place that a store was moved to. */
export const MOVED_TO = "moved_to";

function assertNotMoved(db: Database.Database, path: string): void {
  const to = db.prepare("SELECT value FROM meta WHERE key = ?").pluck().get(MOVED_TO);
  if (to === undefined) return;
  throw new CannotOpen(
    `${path} was moved to ${to}, and later writes are there`,
    "set CHEST_DATABASE_URL to it; to use the file as it was: `chest-index migrate-store --take-back`",
  );
}

/**
 * Lists the migrations that are still to apply; throws for a database that is not ours, of another release, or moved away.
 * @param isMoving one that was moved away is read all the same
 */
export function due(
  db: Database.Database,
  migrations: readonly Migration[],
  path: string,
  { isMoving = false }: { readonly isMoving?: boolean } = {},
): Migration[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  if (tables.length === 0) return [...migrations];
  if (!tables.includes("chest_migrations")) throw notOurs(tables, path);
  const applied = appliedTo(db);
  for (const { name, sha256 } of applied) {
    if (name < (migrations[0]?.name ?? "")) continue;
    const known = migrations.find((migration) => migration.name === name);
    if (!known) throw ofTheFuture(name, migrations.at(-1)?.name ?? "none", path);
    if (known.sha256 !== sha256) throw notOfRelease(name);
  }
  if (!isMoving) assertNotMoved(db, path);
  return migrations.filter(({ name }) => !applied.some((row) => row.name === name));
}

/** Reads the ledger; empty for a database without one. */
export const appliedTo = (db: Database.Database): Applied[] =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'chest_migrations'").get()
    ? (db.prepare("SELECT name, sha256 FROM chest_migrations ORDER BY name").all() as Applied[])
    : [];

/** Lists what is to apply, by the way from an earlier release where the store is of one. */
export const steps = (db: Database.Database, migrations: readonly Migration[], path: string): readonly Migration[] =>
  fromEarlier(due(db, migrations, path), appliedTo(db), migrationsFolder);

/** Applies each in a transaction of its own; one that fails leaves the schema before it. */
export function apply(db: Database.Database, migrations: readonly Migration[]): void {
  // A table that others refer to can only be made anew while references are not checked; that cannot be set inside a
  // transaction.
  db.pragma("foreign_keys = OFF");
  for (const { name, sql, sha256 } of migrations) {
    db.exec("BEGIN IMMEDIATE");
    try {
      // Within the transaction: a process that looks meanwhile finds all of the store or none.
      db.exec(LEDGER);
      db.exec(sql);
      db.prepare("INSERT INTO chest_migrations (name, sha256, applied_at) VALUES (?, ?, unixepoch())").run(
        name,
        sha256,
      );
      db.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema_version', ?)").run(name);
      db.exec("COMMIT");
    } catch (error) {
      if (db.inTransaction) db.exec("ROLLBACK");
      const why = error instanceof Error ? error.message : String(error);
      db.pragma("foreign_keys = ON");
      throw new CannotOpen(
        `migration ${name} failed (${why}): the database is as it was`,
        "go on with the release that made it, and report this message",
        error,
      );
    }
  }
  db.pragma("foreign_keys = ON");
}

function ofTheFuture(found: string, newest: string, path: string): CannotOpen {
  return new CannotOpen(
    `${path} is of a newer release: it has ${found}, this release knows up to ${newest}`,
    "start the newer release, or restore the backup made before the upgrade; nothing was changed",
  );
}

function notOurs(tables: readonly unknown[], path: string): CannotOpen {
  // Recognised by its own tables, because any program with Prisma has `_prisma_migrations`.
  const isReference = tables.includes("memories") || tables.includes("Memory");
  if (!isReference) {
    return new CannotOpen(
      `${path} is an SQLite database of another program`,
      "set CHEST_DB_PATH to a fresh file; this one was not changed",
    );
  }
  const fresh = `CHEST_DB_PATH=${quoted(path.replace(/(\.\w+)?$/, "-new.db"))}`;
  return new CannotOpen(
    `${path} looks like a database of mcp-chest-memory 1.5, which is not opened in place`,
    `import it into a fresh file: \`${fresh} chest-index import --from chest15 ${quoted(path)}\`, then start with ${fresh}; this one was not changed`,
  );
}

/** Quotes a path for a shell. */
const quoted = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
