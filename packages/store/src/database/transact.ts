import type { Statements } from "./connection.ts";
import type { Transaction, TransactionOptions } from "./transaction.ts";

/** Order in which work waits: a caller's, or in the background, in small pieces. */
export type Lane = "call" | "sweep";

/** Ways into a store's transactions. */
export interface Transactions {
  /** Runs work in a transaction in a caller's name, as of now. It may run again where it lost a race. */
  transact<T>(
    options: Omit<TransactionOptions, "now">,
    work: (tx: Transaction) => Promise<T>,
    more?: TransactMore,
  ): Promise<T>;
  /** Runs statements in a transaction that is no member's. */
  write<T>(work: (connection: Statements) => Promise<T>, lane?: Lane): Promise<T>;
}

export interface TransactMore {
  readonly lane?: Lane;
  /** A repeat finds the first answer, so that the work may run again after a commit whose fate is unknown. */
  readonly isKeyed?: boolean;
}
