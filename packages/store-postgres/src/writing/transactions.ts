import type { Clock } from "@chest/core/ports";
import type { Transactions } from "@chest/store/database/transact";
import type { Writer } from "../database/write.ts";
import { Transaction } from "./transaction.ts";

/** Runs transactions. Background work has no separate lane, because transactions run concurrently. */
export const transactionsOf = (writer: Writer, clock: Clock): Transactions => ({
  transact: (options, work, { isKeyed = false } = {}) =>
    writer.write((connection) => work(new Transaction(connection, { ...options, now: clock.now() })), isKeyed),
  write: (work) => writer.write(work),
});
