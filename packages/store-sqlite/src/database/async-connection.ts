import type {
  Reading as AsyncReading,
  Statements as AsyncStatements,
  SqlValue,
} from "@chest/store/database/connection";
import { cells, type Dialect, keyed } from "@chest/store/database/dialect";
import type { Reading, Statements } from "./connection.ts";
import { readable } from "./sqlite-errors.ts";

/** Dialect of SQLite: the SQL that differs between the engines. */
export const SQLITE: Dialect = {
  name: "sqlite",
  // GLOB uses an index; LIKE ignores case and does not.
  startsWith: (column, prefix) => `${column} GLOB '${prefix}*'`,
  jsonObject: (members) => `json_object(${keyed(members)})`,
  isOneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  valuesOf: (_type, alias) => `json_each(?) AS ${alias}`,
  rowsOf: (columns, alias) => `(SELECT ${cells(columns, (at) => `value ->> ${at}`)} FROM json_each(?)) AS ${alias}`,
  each: (column, alias) => `json_each(${column}) AS ${alias}`,
  listOf: (column, from) => `(SELECT json_group_array(${column} ORDER BY ${column}) FROM ${from})`,
  indexedText: (text) => text,
  jsonMember: (json, key) => `${json} ->> '$.${key}'`,
  jsonText: (value) => `json_quote(${value})`,
  indexedBy: (index) => ` INDEXED BY ${index}`,
  skipping: (count) => `LIMIT -1 OFFSET ${count}`,
  forUpdate: "",
  forNoKeyUpdate: "",
  skipLocked: "",
  rowNumber: "rowid",
  forUpdateOf: () => "",
  greatest: (...values) => `max(${values.join(", ")})`,
  least: (...values) => `min(${values.join(", ")})`,
  contains: (text, part = "?") => `instr(${text}, ${part}) > 0`,
  holds: (column) => `EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ?)`,
  day: (seconds) => `date(${seconds}, 'unixepoch')`,
  unindexed: (column) => `+${column}`,
  vector: (column) => column,
  lengthOfVector: (column) => `length(${column}) / 4.0`,
  // Transactions are serialised, so no lock is needed.
  lock: () => undefined,
};

/** Converts a value for the driver: a list to JSON, a boolean to 0 or 1. */
const bound = (value: SqlValue) =>
  typeof value === "boolean"
    ? Number(value)
    : Array.isArray(value)
      ? JSON.stringify(value)
      : (value as Exclude<SqlValue, boolean | readonly unknown[]>);

/** Converts values for statements written with `SQLITE`. */
export const boundAll = (values: readonly SqlValue[]) => values.map(bound);

/** Runs a read and converts SQLite's errors to the caller's. */
export async function explained<T>(read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    throw readable(error);
  }
}

/** A connection in the shared store's interface for reading. */
export function readingOf(connection: Reading): AsyncReading {
  const all = <T>(sql: string, ...values: readonly SqlValue[]) =>
    explained(() => connection.all<T>(sql, ...boundAll(values)));
  return {
    dialect: SQLITE,
    get: <T>(sql: string, ...values: readonly SqlValue[]) =>
      explained(() => connection.get<T>(sql, ...boundAll(values))),
    all,
    allPlanned: all,
    ids: (sql, ...values) => explained(() => connection.ids(sql, ...boundAll(values))),
  };
}

/** A writing connection in the shared store's interface. Errors are left to the writer. */
export function statementsOf(connection: Statements): AsyncStatements {
  const all = async <T>(sql: string, ...values: readonly SqlValue[]) => connection.all<T>(sql, ...boundAll(values));
  return {
    dialect: SQLITE,
    get: async <T>(sql: string, ...values: readonly SqlValue[]) => connection.get<T>(sql, ...boundAll(values)),
    all,
    allPlanned: all,
    ids: async (sql, ...values) => connection.ids(sql, ...boundAll(values)),
    run: async (sql, ...values) => connection.run(sql, ...boundAll(values)),
    later: (sql, ...values) => void connection.run(sql, ...boundAll(values)),
  };
}
