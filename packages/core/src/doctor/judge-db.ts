import type { DbFacts, HostFinding, SchemaFacts } from "@chest/contracts";

type Verdict = Omit<HostFinding, "id">;

/** Judgements on the database by the id of their check, in the order of the report. */
const JUDGES = { "db.schema": judgeSchema } as const satisfies Readonly<Record<string, (facts: DbFacts) => Verdict>>;
export type DbCheck = keyof typeof JUDGES;

/** Judges one thing about a database by its facts. */
export const judgeDb = (id: DbCheck, facts: DbFacts): HostFinding => ({ id, ...JUDGES[id](facts) });

/** Judges what a backend can tell of its database, for REST and for `chest-index doctor server`. */
export const findingsOfDb = (facts: DbFacts): HostFinding[] =>
  (Object.keys(JUDGES) as DbCheck[]).map((id) => judgeDb(id, facts));

function judgeSchema({ schema, server }: DbFacts): Verdict {
  if (!schema) return { status: "skip", message: "it takes a backend of this release to tell" };
  if (schema.state === "absent") return { status: "skip", message: schema.reason ?? "this build cannot tell" };
  if (schema.state === "failed") return { status: "warn", message: `this could not be checked: ${schema.reason}` };
  const missing = named(schema.missing_tables, schema.missing_columns);
  const unreadable = schema.tables.filter(({ name, error }) => error !== undefined && !isNamed(name, schema));
  // PostgreSQL databases are not backed up by Chest.
  const mend = server ? {} : { mend: { by: "index" as const, commands: ["backup --list"] } };
  if (missing !== "") return { status: "fail", message: `missing: ${missing}`, ...mend };
  if (unreadable.length > 0) {
    const tables = unreadable.map(({ name, error }) => `${name} (${error})`).join(", ");
    return { status: "fail", message: `rows cannot be read as the schema says: ${tables}`, ...mend };
  }
  const odd = [...foreignIn(schema), ...misrecordedIn(schema)];
  if (odd.length > 0) return { status: "warn", message: odd.join("\n") };
  return { status: "ok", message: summary(schema) };
}

function foreignIn({ foreign_tables, foreign_columns }: SchemaFacts): readonly string[] {
  const foreign = named(foreign_tables, foreign_columns);
  if (foreign === "") return [];
  return [`not of this release: ${foreign}`, "another program made this, or a newer release; nothing here uses it"];
}

function misrecordedIn({ misrecorded_migrations: names = [] }: SchemaFacts): readonly string[] {
  if (names.length === 0) return [];
  return [
    `Prisma's record of migrations differs from Chest's: ${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? `, and ${names.length - NAMED} more` : ""}`,
    "Prisma's `migrate status` is wrong here, and nothing of Chest; a start copies the record anew, or its log says why not",
  ];
}

const NAMED = 3;

const named = (tables: readonly string[], columns: readonly string[]): string =>
  [...tables.map((name) => `table ${name}`), ...columns.map((name) => `column ${name}`)].join(", ");

/** A missing table also fails the read check; one finding is enough. */
const isNamed = (table: string, { missing_tables, missing_columns }: SchemaFacts): boolean =>
  missing_tables.includes(table) || missing_columns.some((column) => column.startsWith(`${table}.`));

function summary({ tables, own_tables: own }: SchemaFacts): string {
  const counted = tables.filter(({ rows }) => rows !== null);
  const rows = counted.reduce((sum, table) => sum + (table.rows ?? 0), 0);
  const uncounted = tables.length - counted.length;
  const left = uncounted === 0 ? "" : `; ${uncounted} tables were not counted in time`;
  return `${tables.length} tables with ${rows} rows${left}; beside the schema: ${own.join(", ")}`;
}
