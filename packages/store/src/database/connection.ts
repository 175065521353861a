import type { Dialect } from "./dialect.ts";

/** Values of a statement. A list is bound as one value: see `Dialect.isOneOf`. */
export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[] | Uint8Array;

/** Reading statements. `?` in the text stands for a value, in order. */
export interface Reading {
  readonly dialect: Dialect;
  /** The first row; undefined when there is none. */
  get<T>(sql: string, ...values: readonly SqlValue[]): Promise<T | undefined>;
  all<T>(sql: string, ...values: readonly SqlValue[]): Promise<T[]>;
  /**
   * Like `all`, but planned for these values: a generic plan would scan whole tables where these values select few
   * rows.
   */
  allPlanned<T>(sql: string, ...values: readonly SqlValue[]): Promise<T[]>;
  /** The first column of each row, as numbers. */
  ids(sql: string, ...values: readonly SqlValue[]): Promise<number[]>;
}

/** Statements of one transaction. */
export interface Statements extends Reading {
  run(sql: string, ...values: readonly SqlValue[]): Promise<{ readonly changes: number }>;
  /**
   * Runs a statement in order, without waiting. On a remote database an error is thrown by the next awaited statement
   * or by the commit.
   */
  later(sql: string, ...values: readonly SqlValue[]): void;
  /**
   * Sends a statement in advance that will be run soon with the same values, to save a round trip. Its result must not
   * change in between. Undefined for a local database.
   */
  readonly ahead?: ((sql: string, ...values: readonly SqlValue[]) => void) | undefined;
}
