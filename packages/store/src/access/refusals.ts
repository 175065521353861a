import { clientLabel, localCaller } from "@chest/core/access";
import type { Refusal } from "@chest/core/ports";
import type { Transactions } from "../database/transact.ts";

const MAX_KINDS = 500;
// An id that no member has: 0 is the member of maintenance.
const NOBODY = -1;
const WRITER = localCaller(undefined, { name: "chest", version: "" });

/** Refusals counted in memory and written in batches; all else is written by the transactions themselves. */
export class Refusals {
  readonly #transactions: Transactions;
  #noted = new Map<string, { readonly refusal: Refusal; times: number }>();

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
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
    await this.#transactions.transact(
      { caller: WRITER, isOwn: true },
      async (tx) => {
        for (const { refusal, times } of noted) {
          const { caller, op, outcome } = refusal;
          tx.putAudit({
            memberId: caller?.member.id ?? NOBODY,
            tokenId: caller?.token?.id ?? null,
            client: caller ? clientLabel(caller.client) : null,
            op,
            outcome,
            memoryIds: [],
            subject: null,
            times,
          });
        }
      },
      { lane: "sweep" },
    );
  }
}
