import type { Statements } from "./connection.ts";

/** Advisory locks by purpose. */
export const LOCKS = { sameWords: 1, transcript: 2, session: 3, identities: 4, access: 5, name: 7, answer: 8 } as const;

/** Differences between SQLite and PostgreSQL that no common statement covers. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** Condition that a column starts with a prefix of letters and digits. */
  startsWith(column: string, prefix: string): string;
  /** JSON object of expressions by key, as text. */
  jsonObject(members: Readonly<Record<string, string>>): string;
  /** Condition that a column equals an item of a bound list. */
  isOneOf(column: string): string;
  /** FROM item: the values of a bound list as table `alias` with the column `value`. */
  valuesOf(type: "bigint" | "text", alias: string): string;
  /** FROM item: bound rows, as JSON, with these columns. */
  rowsOf(columns: Readonly<Record<string, "bigint" | "float8" | "text">>, alias: string): string;
  /** FROM item: the values of a list column as table `alias` with the column `value`. */
  each(column: string, alias: string): string;
  /** A column of a subquery as one cell, ascending; read it with `listIn`. */
  listOf(column: string, from: string): string;
  /** Form of a text for a unique index: the text, or its hash if an index limits the length. */
  indexedText(text: string): string;
  /** Member `key` of a JSON object, as text. */
  jsonMember(json: string, key: string): string;
  /** JSON of a text, as text. */
  jsonText(value: string): string;
  /** Part of FROM that names the index to use; empty if the planner finds it. */
  indexedBy(index: string): string;
  /** End of an ordered SELECT that skips a bound or given number of rows. */
  skipping(count: number | "?"): string;
  /**
   * End of a SELECT that locks its rows until the commit. Empty if transactions are serialised. The second form locks
   * all but the keys.
   */
  readonly forUpdate: string;
  readonly forNoKeyUpdate: string;
  /** End of such a SELECT that skips rows which another transaction has locked. */
  readonly skipLocked: string;
  /** Column that identifies a row of a table without a key. */
  readonly rowNumber: string;
  /** `FOR UPDATE` on one table of a join. */
  forUpdateOf(alias: string): string;
  /** Greatest and least of several values; none may be null. */
  greatest(...values: readonly string[]): string;
  least(...values: readonly string[]): string;
  /** Condition that a text contains a part, case-sensitively; a bound one by default. */
  contains(text: string, part?: string): string;
  /** Condition that a list column contains a bound number. */
  holds(column: string): string;
  /** UTC day, such as `2026-01-31`, of a column in Unix seconds. */
  day(seconds: string): string;
  /** A column in a form for which the planner uses no index. */
  unindexed(column: string): string;
  /** A vector column as a cell; read it with `vectorIn`. */
  vector(column: string): string;
  /** Number of dimensions of a column of vectors. */
  lengthOfVector(column: string): string;
  /** Serialises transactions with the same lock and key until the commit. Sent without waiting. */
  lock(connection: Pick<Statements, "later">, lock: keyof typeof LOCKS, key: string): void;
}

/** Reads a cell made by `Dialect.listOf`: an array, or JSON. */
export const listIn = <T extends string | number>(cell: readonly T[] | string): readonly T[] =>
  typeof cell !== "string" ? cell : cell === "[]" ? [] : (JSON.parse(cell) as T[]);

const joined = (members: Readonly<Record<string, string>>, write: (key: string, value: string, at: number) => string) =>
  Object.entries(members)
    .map(([key, value], at) => write(key, value, at))
    .join(", ");

/** Arguments of a JSON object function. */
export const keyed = (members: Readonly<Record<string, string>>): string =>
  joined(members, (key, value) => `'${key}', ${value}`);

/** Cells of a list as columns of a SELECT. */
export const cells = (columns: Readonly<Record<string, string>>, cell: (at: number, type: string) => string): string =>
  joined(columns, (name, type, at) => `${cell(at, type)} AS ${name}`);

/**
 * Builds the statements of a module once for each dialect, on first use. @example const sqlOf = statements((d) => ({
 * byIds: `SELECT id FROM memories WHERE ${d.isOneOf("id")}` })); connection.ids(sqlOf(connection.dialect).byIds, ids);
 */
export function statements<T>(write: (dialect: Dialect) => T): (dialect: Dialect) => T {
  const written = new Map<Dialect, T>();
  return (dialect) => {
    let texts = written.get(dialect);
    if (texts === undefined) {
      texts = write(dialect);
      written.set(dialect, texts);
    }
    return texts;
  };
}
