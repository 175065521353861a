import type { Clock } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import type { StoreLog } from "../database/store-log.ts";
import type { Writer } from "../writing/write-queue.ts";
import { Refusals } from "./audit-log.ts";
import { TokenUses } from "./token-last-used.ts";

export interface NotedParts {
  readonly writer: Writer;
  readonly connection: Connection;
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

export function noteInBatches({ writer, connection, clock, log, everyMs }: NotedParts): Noted {
  const uses = new TokenUses({ writer, connection, clock });
  const refusals = new Refusals({ writer, connection, clock });
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
