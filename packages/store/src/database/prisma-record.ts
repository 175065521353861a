import type { Reading, Statements } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import type { Migration } from "./migrations.ts";

/** Table in which Prisma records the migrations of a database. */
const PRISMA_TABLE = "_prisma_migrations";

/** Statements and expressions that an engine has in its own words. */
interface Form {
  /** Makes the table as Prisma makes it. */
  readonly table: string;
  /** Lists the names of the table's columns. */
  readonly columns: string;
  /** Lists the names of all tables. */
  readonly tables: string;
  /** Time of a row `l` of the ledger, as Prisma writes times. */
  readonly appliedAt: string;
  /** A random UUID. */
  readonly id: string;
}

const FORMS: Readonly<Record<Dialect["name"], Form>> = {
  sqlite: {
    table: `CREATE TABLE "${PRISMA_TABLE}" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`,
    columns: `SELECT name FROM pragma_table_info('${PRISMA_TABLE}')`,
    tables: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    // Prisma's engine writes milliseconds into a file.
    appliedAt: "l.applied_at * 1000",
    id: `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
      substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
  },
  postgres: {
    table: `CREATE TABLE ${PRISMA_TABLE} (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`,
    columns: `SELECT a.attname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relname = '${PRISMA_TABLE}'
        AND a.attnum > 0 AND NOT a.attisdropped`,
    tables: `SELECT relname::text AS name FROM pg_class
      WHERE relnamespace = current_schema()::text::regnamespace AND relkind IN ('r', 'p')`,
    appliedAt: "l.applied_at",
    id: "gen_random_uuid()::text",
  },
};

/** Statement that makes the table as Prisma makes it. */
export const prismaTable = (engine: Dialect["name"]): string => FORMS[engine].table;

const COLUMNS = [
  ...["id", "checksum", "finished_at", "migration_name"],
  ...["logs", "rolled_back_at", "started_at", "applied_steps_count"],
];

/** A migration that the ledger and Prisma's record do not have alike. */
export interface Difference {
  /** Its name in the ledger; null where that lacks it. */
  readonly applied: string | null;
  /** Its name in Prisma's record; null where that lacks it, or has it more than once. */
  readonly recorded: string | null;
}

/** Finds the differences between the ledger and Prisma's record. Fails where the record is missing. */
export const differencesIn = (engine: Dialect["name"]): string => {
  const { appliedAt } = FORMS[engine];
  return `SELECT l.name AS applied, NULL AS recorded FROM chest_migrations l
     WHERE (SELECT count(*) FROM ${PRISMA_TABLE} p WHERE p.migration_name = l.name) <> 1
   UNION ALL
   SELECT l.name, p.migration_name FROM ${PRISMA_TABLE} p LEFT JOIN chest_migrations l ON l.name = p.migration_name
     WHERE (p.checksum = l.sha256 AND p.finished_at = ${appliedAt} AND p.started_at = ${appliedAt}
       AND p.rolled_back_at IS NULL AND p.logs IS NULL AND p.applied_steps_count = 1) IS NOT TRUE`;
};

export interface Recording {
  readonly reading: Reading;
  /** Runs work in one transaction; other processes that migrate wait. */
  readonly transaction: (work: (tx: Statements) => Promise<boolean>) => Promise<boolean>;
  /** The migrations of this release. */
  readonly migrations: () => readonly Migration[];
  readonly warn: (fields: { readonly err?: unknown }, message: string) => void;
}

/**
 * Makes Prisma's record of migrations a copy of the ledger where it differs: a start waits for one statement. Nothing in
 * Chest reads that record, so a store opens without it, too.
 */
export async function recordForPrisma({ reading, transaction, migrations, warn }: Recording): Promise<void> {
  try {
    // A missing table is an error of the statement.
    const differences = await reading.all<Difference>(differencesIn(reading.dialect.name)).catch(() => undefined);
    if (differences?.length === 0) return;
    if (await transaction((tx) => copyLedger(tx, migrations()))) return;
    warn(
      {},
      `another program records its migrations in ${PRISMA_TABLE}: Prisma's \`migrate status\` is wrong for Chest`,
    );
  } catch (err) {
    warn(
      { err },
      `${PRISMA_TABLE} could not be made a copy of the ledger: Prisma's \`migrate status\` is wrong for Chest`,
    );
  }
}

/**
 * Copies the ledger. Rows of a program that has tables in this database are its own record, which stays as it is.
 * @returns whether the record is a copy now
 */
async function copyLedger(tx: Statements, migrations: readonly Migration[]): Promise<boolean> {
  const { name } = tx.dialect;
  const { table, columns, tables } = FORMS[name];
  const found = await namesOf(tx, columns);
  const isPrismas = COLUMNS.every((column) => found.includes(column));
  if (found.length > 0 && !isPrismas) {
    if (await tx.get(`SELECT 1 AS one FROM ${PRISMA_TABLE} LIMIT 1`)) return false;
    await tx.run(`DROP TABLE ${PRISMA_TABLE}`);
  }
  if (!isPrismas) await tx.run(table);
  const differences = await tx.all<Difference>(differencesIn(name));
  if (differences.length === 0) return true;
  const ours = new Set(migrations.map((migration) => migration.name));
  const isForeign = ({ applied, recorded }: Difference) => applied === null && !ours.has(recorded ?? "");
  if (differences.some(isForeign) && hasOthers(await namesOf(tx, tables), migrations)) return false;
  const names = differences.map(({ applied, recorded }) => applied ?? recorded ?? "");
  await tx.run(`DELETE FROM ${PRISMA_TABLE} WHERE ${tx.dialect.isOneOf("migration_name")}`, names);
  await tx.run(copyIn(FORMS[name]));
  return true;
}

const copyIn = ({ id, appliedAt }: Form): string =>
  `INSERT INTO ${PRISMA_TABLE} (${COLUMNS.join(", ")})
   SELECT ${id}, l.sha256, ${appliedAt}, l.name, NULL, NULL, ${appliedAt}, 1 FROM chest_migrations l
   WHERE NOT EXISTS (SELECT 1 FROM ${PRISMA_TABLE} p WHERE p.migration_name = l.name) ORDER BY l.name`;

const namesOf = async (reading: Reading, sql: string): Promise<string[]> =>
  (await reading.all<{ name: string }>(sql)).map(({ name }) => name);

const MADE = /\b(?:CREATE(?: VIRTUAL)? TABLE(?: IF NOT EXISTS)?|RENAME TO) (\w+)/g;

/** Whether tables are there that no migration makes. A virtual or a divided table has parts, which begin with its name. */
function hasOthers(tables: readonly string[], migrations: readonly Migration[]): boolean {
  const made = migrations.flatMap(({ sql }) => [...sql.matchAll(MADE)].map(([, name = ""]) => name));
  const ours = [...made, "chest_migrations", PRISMA_TABLE];
  return tables.some((table) => !ours.some((name) => table === name || table.startsWith(`${name}_`)));
}
