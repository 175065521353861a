import { setTimeout as sleep } from "node:timers/promises";
import { type AuditLog, type Clock, clientLabel, type Refusal } from "@chest/core";
import { toSeconds } from "@chest/store/database/rows";
import { listAudit } from "@chest/store/queries/audit";
import type { Reading } from "../database/connection.ts";
import { busy } from "../database/errors.ts";
import type { Writer } from "../database/write.ts";

const MAX_KINDS = 500;
// No member has it: 0 is the one that maintenance writes as.
const NOBODY = -1;

/** Refusals counted in memory and written in batches; all else is written by the transactions themselves. */
export class Refusals {
  readonly #writer: Writer;
  readonly #clock: Clock;
  #noted = new Map<string, { readonly refusal: Refusal; times: number }>();

  constructor(writer: Writer, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  note(refusal: Refusal): void {
    const { caller, op, outcome } = refusal;
    const key = JSON.stringify([caller?.member.id, caller?.token?.id, op, outcome]);
    const known = this.#noted.get(key);
    if (known) known.times += 1;
    else if (this.#noted.size < MAX_KINDS) this.#noted.set(key, { refusal, times: 1 });
  }

  async flush(): Promise<void> {
    if (this.#noted.size === 0) return;
    const noted = [...this.#noted.values()];
    this.#noted = new Map();
    const nowS = toSeconds(this.#clock.now());
    await this.#writer.write(async (tx) => {
      for (const { refusal, times } of noted) {
        const { caller, op, outcome } = refusal;
        const client = caller && clientLabel(caller.client);
        tx.later(
          "INSERT INTO audit_log (at, member_id, token_id, client, op, outcome, times) VALUES (?, ?, ?, ?, ?, ?, ?)",
          nowS,
          caller?.member.id ?? NOBODY,
          caller?.token?.id ?? null,
          client ?? null,
          op,
          outcome,
          times,
        );
      }
    });
  }
}

// Numbers are handed out before their transactions commit, so a lower one may come after a higher one. A transaction holds
// its lock on the log from before it takes a number until its end. A reader waits for the transactions that hold the lock
// now, and holds none itself.
const WRITERS = `SELECT l.virtualtransaction AS writer FROM pg_locks l
  WHERE l.locktype = 'relation' AND l.relation = 'audit_log'::regclass AND l.mode = 'RowExclusiveLock' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
const NEWEST = `SELECT (SELECT coalesce(max(seq), 0) FROM audit_log) AS seq,
    ARRAY(${WRITERS}) AS writers`;
const STILL = `${WRITERS} AND l.virtualtransaction = ANY (?)`;
const FIRST_PAUSE_MS = 2;
// A transaction that stands still is ended by the server after ten seconds.
const PATIENCE_MS = 3000;

async function newest(reader: Reading): Promise<number> {
  const found = await reader.get<{ seq: number; writers: readonly string[] }>(NEWEST);
  let writers = found?.writers ?? [];
  for (let pauseMs = FIRST_PAUSE_MS; writers.length > 0; pauseMs *= 2) {
    if (pauseMs > PATIENCE_MS / 2) throw busy();
    await sleep(pauseMs);
    writers = (await reader.all<{ writer: string }>(STILL, writers)).map(({ writer }) => writer);
  }
  return found?.seq ?? 0;
}

export const auditLog = (reader: Reading, refusals: Refusals): AuditLog => ({
  newest: () => newest(reader),
  list: (query) => listAudit(reader, query),
  refused: (refusal) => refusals.note(refusal),
});
