import type { Statements } from "./connection.ts";

/** Reasons for which transactions wait for each other, beside the rows that they change. */
export const LOCKS = { sameWords: 1, transcript: 2, session: 3, identities: 4, access: 5, name: 7, answer: 8 } as const;

/** Differences between the databases that one statement cannot bridge. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  /** Condition that a column begins with a text of plain letters and digits. */
  startsWith(column: string, prefix: string): string;
  /** JSON object of expressions by key, as text. */
  jsonObject(members: Readonly<Record<string, string>>): string;
  /** Condition that a column holds one of a bound list. */
  isOneOf(column: string): string;
  /** Item of a FROM clause: the values of a bound list as a table `alias` with one column, `value`. */
  valuesOf(type: "bigint" | "text", alias: string): string;
  /** Item of a FROM clause: bound rows, a list of lists as JSON, with these columns. */
  rowsOf(columns: Readonly<Record<string, "bigint" | "float8" | "text">>, alias: string): string;
  /** Item of a FROM clause: the values of a column of lists as a table `alias` with one column, `value`. */
  each(column: string, alias: string): string;
  /** A column of a subquery as one cell, in ascending order; read it with `listIn`. */
  listOf(column: string, from: string): string;
  /** A text as a unique index holds it: itself, or its hash where an index takes no long texts. */
  indexedText(text: string): string;
  /** Member `key` of a JSON object, as text. */
  jsonMember(json: string, key: string): string;
  /** JSON of a text, as text. */
  jsonText(value: string): string;
  /** Part of a FROM clause that names the index to read a table by; empty where the planner finds it by itself. */
  indexedBy(index: string): string;
  /** Ending of an ordered SELECT that leaves out as many rows as a bound number, or the one given. */
  skipping(count: number | "?"): string;
  /** Endings of a SELECT whose rows, or all of them but their keys, stay as they are until the commit. Empty where transactions run one by one. */
  readonly forUpdate: string;
  readonly forNoKeyUpdate: string;
  /** Ending of such a SELECT that leaves out rows which another transaction holds. */
  readonly skipLocked: string;
  /** Column that tells the rows of a table of stamps, which has no key of its own. */
  readonly rowNumber: string;
  /** The same for the rows of one table of a join. */
  forUpdateOf(alias: string): string;
  /** The greatest and the least of values, none of which is null. */
  greatest(...values: readonly string[]): string;
  least(...values: readonly string[]): string;
  /** Condition that a text holds a part, a bound one by default, letter case included. */
  contains(text: string, part?: string): string;
  /** Condition that a column of lists holds a bound number. */
  holds(column: string): string;
  /** Day of UTC, as `2026-01-31`, of a column of Unix seconds. */
  day(seconds: string): string;
  /** A column in a form by which the planner takes no index. */
  unindexed(column: string): string;
  /** A column of vectors as a cell; read it with `vectorIn`. */
  vector(column: string): string;
  /** Number of dimensions of a column of vectors. */
  lengthOfVector(column: string): string;
  /** Makes transactions that name the same lock and key wait for each other until the commit; sent, not waited for. */
  lock(connection: Pick<Statements, "later">, lock: keyof typeof LOCKS, key: string): void;
}

/** Reads a cell that `Dialect.listOf` made: an array, or its JSON. */
export const listIn = <T extends string | number>(cell: readonly T[] | string): readonly T[] =>
  typeof cell !== "string" ? cell : cell === "[]" ? [] : (JSON.parse(cell) as T[]);

const joined = (members: Readonly<Record<string, string>>, write: (key: string, value: string, at: number) => string) =>
  Object.entries(members)
    .map(([key, value], at) => write(key, value, at))
    .join(", ");

/** Arguments of a function that makes a JSON object. */
export const keyed = (members: Readonly<Record<string, string>>): string =>
  joined(members, (key, value) => `'${key}', ${value}`);

/** Cells of a list as columns of a SELECT. */
export const cells = (columns: Readonly<Record<string, string>>, cell: (at: number, type: string) => string): string =>
  joined(columns, (name, type, at) => `${cell(at, type)} AS ${name}`);

/**
 * Statements of a module, written once for each dialect on first use.
 *
 * @example
 * const sqlOf = statements((d) => ({ byIds: `SELECT id FROM memories WHERE ${d.isOneOf("id")}` }));
 * connection.ids(sqlOf(connection.dialect).byIds, ids);
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
