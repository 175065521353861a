/**
 * Columns that PostgreSQL has otherwise; everything else follows from the schema for SQLite. Each line is the column's type
 * and attributes there, or is empty where PostgreSQL lacks the column.
 */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sessions: { prompt_count: "" },
  memories: {
    ...{ minhash: "", quarantined_at: "", activation_score: "", activation_computed_at: "" },
    expires_explicit: "Boolean @default(false)",
    shard: "BigInt",
  },
  embedding_identities: { dimensions: "Int", prefix: "" },
  vectors: { vector: 'Unsupported("halfvec")' },
  memory_access_log: { id: "BigInt @id @default(autoincrement())" },
  session_snapshots: { dirty: "" },
  gaps: { times: "Int @default(1)" },
  work_items: { priority: "Int @default(2)" },
  consolidations: { replaced_ids: "BigInt[]" },
  idempotency: { spaces: "String[] @default([])", memory_id: "BigInt?" },
  audit_log: { memory_ids: "BigInt[] @default([])", project_id: "" },
};

const TABLES_OF_SQLITE = ["vector_changes", "file_facts", "backups"];

const TABLES_OF_POSTGRES = `
model leases {
  name   String   @id
  holder String   @db.Uuid
  until  DateTime @db.Timestamptz(6)
}

model running {
  member_id BigInt
  key       String
  holder    String   @db.Uuid
  until     DateTime @db.Timestamptz(6)

  @@id([member_id, key])
}
`;

const FIELD = /^ {2}(\w+) +(\S+) *(.*)$/;
/** Numbers have 64 bits wherever `COLUMNS` does not say otherwise. */
const typeOf = (type: string): string => type.replace(/^Int\b/, "BigInt");

/** Makes the schema for PostgreSQL from the one for SQLite. */
export function postgresSchema(schema: string): string {
  const [head = "", ...models] = schema.split(/^(?=model )/m);
  const made = models.filter((model) => !TABLES_OF_SQLITE.includes(nameOf(model))).map(modelOf);
  return `${headOf(head)}${made.join("").trimEnd()}\n${TABLES_OF_POSTGRES}`;
}

const nameOf = (model: string): string => /^model (\w+)/.exec(model)?.[1] ?? "";

/** Nothing is generated from it: both engines have the row types of the one for SQLite. */
const headOf = (head: string): string =>
  head
    .replace(/^\/\/.*\n/, "// Made from `prisma/sqlite/schema.prisma`: `npm run unit -- postgres-schema -u`.\n")
    .replace(/^generator [^}]*\}\n\n/m, "")
    .replace('provider = "sqlite"', 'provider = "postgresql"');

function modelOf(model: string): string {
  const changes = COLUMNS[nameOf(model)] ?? {};
  const lines = model.trimEnd().split("\n").slice(1, -1);
  const fields = lines.flatMap((line) => {
    const [, name = "", type = "", attributes = ""] = FIELD.exec(line) ?? [];
    if (name === "" || changes[name] === "") return [];
    return [name in changes ? rowOf(name, changes[name]) : [name, typeOf(type), attributes]];
  });
  const known = new Set(lines.map((line) => FIELD.exec(line)?.[1]));
  const added = Object.entries(changes).filter(([name]) => !known.has(name));
  const rows = [...fields, ...added.map(([name, line]) => rowOf(name, line))];
  const without = Object.keys(changes).filter((name) => changes[name] === "");
  const hasOwnId = Object.values(changes).some((line) => line.includes("@id "));
  const keys = lines.filter((line) => line.startsWith("  @@") && !(hasOwnId && line.startsWith("  @@id")));
  const shortened = keys.map((line) => without.reduce((left, name) => left.replace(`, ${name}]`, "]"), line));
  return [
    `model ${nameOf(model)} {`,
    ...aligned(rows),
    ...(shortened.length > 0 ? ["", ...shortened] : []),
    "}\n\n",
  ].join("\n");
}

function rowOf(name: string, line = ""): string[] {
  const [type = "", ...attributes] = line.split(" ");
  return [name, type, attributes.join(" ")];
}

function aligned(rows: readonly string[][]): string[] {
  const [names, types] = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map(([name = "", type = "", attributes]) =>
    `  ${name.padEnd(names ?? 0)} ${type.padEnd(types ?? 0)} ${attributes}`.trimEnd(),
  );
}
