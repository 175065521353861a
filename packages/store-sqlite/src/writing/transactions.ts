import type { Clock } from "@chest/core/ports";
import type { Transactions } from "@chest/store/database/transact";
import { statementsOf } from "../database/async-connection.ts";
import type { Writer } from "../database/write-queue.ts";
import { Transaction, type TransactionParts } from "./transaction.ts";

interface WritingParts extends TransactionParts {
  readonly writer: Writer;
  readonly clock: Clock;
}

/** Runs transactions in the store's write queue. */
export function transactionsOf({ writer, clock, ...parts }: WritingParts): Transactions {
  return {
    transact: (options, work, { lane = "call" } = {}) =>
      writer[lane]((turn) => work(new Transaction(parts, turn, { ...options, now: clock.now() }))),
    write: (work, lane = "call") => writer[lane](() => work(statementsOf(parts.writing))),
  };
}
