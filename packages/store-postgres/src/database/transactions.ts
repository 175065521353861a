import type { Clock } from "@chest/core";
import type { Transactions } from "@chest/store/database/transact";
import { Transaction } from "./transaction.ts";
import type { Writer } from "./write.ts";

/** The store's ways into its transactions. Background work has no lane of its own: transactions run beside each other. */
export const transactionsOf = (writer: Writer, clock: Clock): Transactions => ({
  transact: (options, work, { isKeyed = false } = {}) =>
    writer.write((connection) => work(new Transaction(connection, { ...options, now: clock.now() })), isKeyed),
  write: (work) => writer.write(work),
});
