import { createHash } from "node:crypto";
import { cells, type Dialect, keyed, LOCKS } from "@chest/store/database/dialect";

/** Dialect of PostgreSQL: the SQL that differs between the engines. */
export const POSTGRES: Dialect = {
  name: "postgres",
  startsWith: (column, prefix) => `${column} LIKE '${prefix}%'`,
  jsonObject: (members) => `json_build_object(${keyed(members)})::text`,
  isOneOf: (column) => `${column} = ANY (?)`,
  valuesOf: (type, alias) => `unnest(?::${type}[]) AS ${alias} (value)`,
  rowsOf: (columns, alias) =>
    `(SELECT ${cells(columns, (at, type) => `(l.cells ->> ${at})::${type}`)} FROM json_array_elements(?::json) AS l (cells)) AS ${alias}`,
  each: (column, alias) => `unnest(${column}) AS ${alias} (value)`,
  listOf: (column, from) => `ARRAY(SELECT ${column} FROM ${from} ORDER BY ${column})`,
  indexedText: (text) => `md5(${text})`,
  jsonMember: (json, key) => `${json}::json ->> '${key}'`,
  jsonText: (value) => `to_json(${value})::text`,
  indexedBy: () => "",
  skipping: (count) => `OFFSET ${count}`,
  forUpdate: "FOR UPDATE",
  forNoKeyUpdate: "FOR NO KEY UPDATE",
  skipLocked: "FOR UPDATE SKIP LOCKED",
  rowNumber: "id",
  forUpdateOf: (alias) => `FOR UPDATE OF ${alias}`,
  greatest: (...values) => `greatest(${values.join(", ")})`,
  least: (...values) => `least(${values.join(", ")})`,
  contains: (text, part = "?") => `strpos(${text}, ${part}) > 0`,
  holds: (column) => `? = ANY (${column})`,
  day: (seconds) => `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  unindexed: (column) => column,
  vector: (column) => `${column}::real[]`,
  lengthOfVector: (column) => `vector_dims(${column}::vector)`,
  lock(connection, lock, key) {
    connection.later(`SELECT pg_advisory_xact_lock(${LOCKS[lock]}, ?)`, lockOf(key));
  },
};

/** Lock number for a text. */
const lockOf = (text: string): number => createHash("sha256").update(text).digest().readInt32BE(0);
