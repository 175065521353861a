import type { Clock } from "@chest/core/ports";
import { statements } from "../database/dialect.ts";
import { toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";

const MIN_S = 60;

const noteOf = statements(
  (d) => `UPDATE tokens SET last_used_at = ${d.greatest("coalesce(last_used_at, 0)", "?")} WHERE id = ?`,
);

/** Times of the last use of tokens: to the minute, and written in batches, so that no request waits for the disk. */
export class TokenUses {
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  readonly #written = new Map<number, number>();
  readonly #noted = new Map<number, number>();

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  note(id: number): void {
    const now = toSeconds(this.#clock.now());
    if (now - (this.#written.get(id) ?? 0) >= MIN_S) this.#noted.set(id, now);
  }

  async flush(): Promise<void> {
    if (this.#noted.size === 0) return;
    const noted = [...this.#noted].sort(([a], [b]) => a - b);
    this.#noted.clear();
    await this.#transactions.write(async (connection) => {
      for (const [id, at] of noted) connection.later(noteOf(connection.dialect), at, id);
    }, "sweep");
    for (const [id, at] of noted) this.#written.set(id, at);
  }
}
