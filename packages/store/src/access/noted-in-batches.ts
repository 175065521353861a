import type { Clock } from "@chest/core/ports";
import type { Transactions } from "../database/transact.ts";
import { AccessBuffer, type AccessWrites } from "../memories/access-buffer.ts";
import { ImpressionBuffer } from "../sessions/impression-buffer.ts";
import { Refusals } from "./refusals.ts";
import { TokenUses } from "./token-uses.ts";

export interface NotedParts {
  readonly transactions: Transactions;
  readonly accessWrites: AccessWrites;
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
  readonly everyMs: number;
}

/** Notes kept in memory and written in batches: no request waits for them. */
export interface NotedInBatches {
  readonly accesses: AccessBuffer;
  readonly shown: ImpressionBuffer;
  readonly uses: TokenUses;
  readonly refusals: Refusals;
  /** Writes what is noted. */
  close(): Promise<void>;
}

export function noteInBatches({ transactions, accessWrites, clock, log, everyMs }: NotedParts): NotedInBatches {
  const lost = (what: string) => (error: unknown) =>
    log.warn({ err: error }, `${what} could not be written and are lost`);
  const accesses = new AccessBuffer(accessWrites, clock, lost("accesses"));
  const shown = new ImpressionBuffer(transactions, clock);
  const uses = new TokenUses(transactions, clock);
  const refusals = new Refusals(transactions);
  const flush = async () => {
    await Promise.all([
      accesses.flush(),
      shown.flush().catch(lost("lines that hooks showed")),
      uses.flush().catch(lost("uses of tokens")),
      refusals.flush().catch(lost("refusals")),
    ]);
  };
  const flushing = setInterval(() => void flush(), everyMs).unref();
  return {
    accesses,
    shown,
    uses,
    refusals,
    close() {
      clearInterval(flushing);
      return flush();
    },
  };
}
