import type { Dialect } from "./dialect.ts";

/** Values that a statement takes. A list is bound as one value: see `Dialect.isOneOf`. */
export type Value = string | number | boolean | null | readonly string[] | readonly number[] | Uint8Array;

/** Statements that read. Values stand as `?` in the text, in order. */
export interface Reading {
  readonly dialect: Dialect;
  /** The first row; undefined when there is none. */
  get<T>(sql: string, ...values: readonly Value[]): Promise<T | undefined>;
  all<T>(sql: string, ...values: readonly Value[]): Promise<T[]>;
  /** Like `all`, planned for these values: a plan for any values would read whole tables where these leave few rows. */
  allPlanned<T>(sql: string, ...values: readonly Value[]): Promise<T[]>;
  /** The first column of each row, a number. */
  ids(sql: string, ...values: readonly Value[]): Promise<number[]>;
}

/** Statements of one transaction. */
export interface Statements extends Reading {
  run(sql: string, ...values: readonly Value[]): Promise<{ readonly changes: number }>;
  /**
   * Runs a statement in its order without waiting for its answer. Where the database is far away its error comes with the
   * next awaited statement, or with the commit.
   */
  later(sql: string, ...values: readonly Value[]): void;
  /**
   * Sends a statement that will be run soon, with just these values: its answer then costs no trip of its own. Its answer must be
   * the same now and then. Undefined where the database is not far away.
   */
  readonly ahead?: ((sql: string, ...values: readonly Value[]) => void) | undefined;
}
