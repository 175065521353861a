import type { SchemaFacts } from "@chest/contracts";
import { type Difference, differencesIn } from "@chest/store/database/prisma-record";
import { type Client, openClient, type Target } from "./client.ts";
import type { Model } from "./schema.ts";

export interface CheckOptions {
  /** No count begins later than this after the start. */
  readonly countsForMs?: number;
}

const COUNTS_FOR_MS = 5000;

/** Checks through Prisma's client whether a database matches the schema of this release. */
export async function checkSchema(target: Target, options: CheckOptions = {}): Promise<SchemaFacts> {
  const client = await openClient(target);
  try {
    const columns = await client.query<Column>(COLUMNS[target.engine]);
    const tables = await modelsRead(client, options.countsForMs ?? COUNTS_FOR_MS);
    return {
      state: "made",
      tables,
      ...compared(client.models, columns, OURS[target.engine]),
      misrecorded_migrations: await misrecorded(client, target.engine),
    };
  } finally {
    await client.close();
  }
}

/** Names of the migrations that Prisma's record has otherwise than the ledger; all where it is missing. */
async function misrecorded(client: Client, engine: Target["engine"]): Promise<string[]> {
  const differences = await client
    .query<Difference>(differencesIn(engine))
    .catch(() => client.query<Difference>("SELECT name AS applied, NULL AS recorded FROM chest_migrations"));
  return [...new Set(differences.map(({ applied, recorded }) => String(applied ?? recorded)))].sort();
}

interface Column {
  readonly table: string;
  readonly column: string;
}

/** Columns of every table, but for what an engine keeps for itself. */
const COLUMNS = {
  sqlite: `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
  postgres: `SELECT c.relname::text AS "table", a.attname::text AS "column"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p')
      AND a.attnum > 0 AND NOT a.attisdropped`,
};

/** Tables of Chest that no model describes: text and vector indexes, and the records of migrations. */
const OURS = {
  sqlite: /^(?:memory_text|memory_fts|memory_term)\w*$|^(?:chest|_prisma)_migrations$/,
  postgres: /^(?:memory_text|postings|scopes|coarse_vectors\w*)$|^(?:chest|_prisma)_migrations$/,
};

async function modelsRead(client: Client, countsForMs: number): Promise<SchemaFacts["tables"]> {
  const countsUntil = performance.now() + countsForMs;
  const read: SchemaFacts["tables"] = [];
  // One after another: the store serves its users meanwhile.
  for (const { name } of client.models) {
    try {
      await client.readOne(name);
      read.push({ name, rows: performance.now() < countsUntil ? await countOf(client, name) : null });
    } catch (error) {
      read.push({ name, rows: null, error: codeOf(error) });
    }
  }
  return read;
}

/** A count that takes too long is none. */
const countOf = (client: Client, model: string): Promise<number | null> =>
  client.count(model).catch((error: unknown) => {
    if (isCancelled(error)) return null;
    throw error;
  });

const isCancelled = (error: unknown): boolean => /57014|canceling statement/.test(String(error));

/** The code alone: a message may name what is stored. */
const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? (error as Error).name);

function compared(models: readonly Model[], columns: readonly Column[], ours: RegExp) {
  const found = new Map<string, Set<string>>();
  for (const { table, column } of columns) found.set(table, (found.get(table) ?? new Set()).add(column));
  const known = new Map(models.map(({ name, columns: of }) => [name, of]));
  const others = [...found.keys()].filter((table) => !known.has(table)).sort();
  const shared = models.filter(({ name }) => found.has(name));
  return {
    missing_tables: models.filter(({ name }) => !found.has(name)).map(({ name }) => name),
    missing_columns: shared.flatMap(({ name, columns: of }) =>
      of.filter((column) => !found.get(name)?.has(column)).map((column) => `${name}.${column}`),
    ),
    foreign_tables: others.filter((table) => !ours.test(table)),
    foreign_columns: shared.flatMap(({ name, columns: of }) =>
      [...(found.get(name) ?? [])].filter((column) => !of.includes(column)).map((column) => `${name}.${column}`),
    ),
    own_tables: others.filter((table) => ours.test(table)),
  };
}
