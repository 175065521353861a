import type { Statements } from "./connection.ts";
import type { Transaction, TransactionOptions } from "./transaction.ts";

/** Priority of work: a call, or background work in small slices. */
export type Lane = "call" | "sweep";

/** Runs transactions of a store. */
export interface Transactions {
  /** Runs work in a caller's transaction. It may run again after a conflict. */
  transact<T>(
    options: Omit<TransactionOptions, "now">,
    work: (tx: Transaction) => Promise<T>,
    more?: TransactMore,
  ): Promise<T>;
  /** Runs statements in a transaction without a caller. */
  write<T>(work: (connection: Statements) => Promise<T>, lane?: Lane): Promise<T>;
}

export interface TransactMore {
  readonly lane?: Lane;
  /** The work has an idempotency key, so it may run again if the result of a commit is unknown. */
  readonly isKeyed?: boolean;
}
