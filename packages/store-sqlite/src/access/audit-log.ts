import { type AuditLog, type Clock, clientLabel, type Refusal } from "@chest/core";
import type { Reading, Statements } from "../database/connection.ts";
import { toSeconds } from "../database/row-mapping.ts";
import { queriesOf, type SearchPool } from "../threads/search-pool.ts";
import { nextSeq, type Writer } from "../writing/write-queue.ts";

const MAX_KINDS = 500;

/** Refusals counted in memory and written in batches; all else is written by the transactions themselves. */
export class Refusals {
  readonly #writer: Writer;
  readonly #connection: Statements;
  readonly #clock: Clock;
  #noted = new Map<string, { readonly refusal: Refusal; times: number }>();

  constructor(parts: { readonly writer: Writer; readonly connection: Statements; readonly clock: Clock }) {
    this.#writer = parts.writer;
    this.#connection = parts.connection;
    this.#clock = parts.clock;
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
    await this.#writer.sweep(async () => {
      const nowS = toSeconds(this.#clock.now());
      for (const { refusal, times } of noted) this.#write(refusal, times, nowS);
    });
  }

  #write({ caller, op, outcome }: Refusal, times: number, nowS: number): void {
    const client = caller && clientLabel(caller.client);
    this.#connection.run(
      `INSERT INTO audit_log (seq, at, member_id, token_id, client, op, outcome, memory_ids, times)
       VALUES (?, ?, ?, ?, ?, ?, ?, '[]', ?)`,
      nextSeq(this.#connection),
      nowS,
      caller?.member.id ?? NOBODY,
      caller?.token?.id ?? null,
      client ?? null,
      op,
      outcome,
      times,
    );
  }
}

// An id that no member has: 0 is the member of maintenance.
const NOBODY = -1;

const NEWEST = "SELECT coalesce(max(seq), 0) AS seq FROM audit_log";

export const auditLog = (pool: SearchPool, reader: Reading, refusals: Refusals): AuditLog => ({
  newest: async () => reader.get<{ seq: number }>(NEWEST)?.seq ?? 0,
  list: (query) => queriesOf(pool)("audit", query),
  refused: (refusal) => refusals.note(refusal),
});
