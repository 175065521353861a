import type { Clock } from "@chest/core";
import { Refusals } from "@chest/store/access/refusals";
import { TokenUses } from "@chest/store/access/token-uses";
import type { Transactions } from "@chest/store/database/transact";
import type { StoreLog } from "../database/store-log.ts";

export interface NotedParts {
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly everyMs: number;
}

/** Notes kept in memory and written in batches: no request waits for them. */
export interface Noted {
  readonly uses: TokenUses;
  readonly refusals: Refusals;
  /** Writes what is noted. */
  close(): Promise<void>;
}

export function noteInBatches({ transactions, clock, log, everyMs }: NotedParts): Noted {
  const uses = new TokenUses(transactions, clock);
  const refusals = new Refusals(transactions);
  const onUsesLost = (error: unknown) => log.warn({ err: error }, "uses of tokens could not be written and are lost");
  const onRefusalsLost = (error: unknown) => log.warn({ err: error }, "refusals could not be written and are lost");
  const flush = async () => {
    await Promise.all([uses.flush().catch(onUsesLost), refusals.flush().catch(onRefusalsLost)]);
  };
  const flushing = setInterval(() => void flush(), everyMs).unref();
  return {
    uses,
    refusals,
    close() {
      clearInterval(flushing);
      return flush();
    },
  };
}
