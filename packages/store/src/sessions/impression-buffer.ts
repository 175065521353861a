import { type Caller, localCaller, type Member } from "@chest/core/access";
import type { Clock, Impressions } from "@chest/core/ports";
import { toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";
import type { Transaction } from "../database/transaction.ts";

const WRITER = localCaller(undefined, { name: "chest", version: "" });
/** A flood of hooks loses notes instead of filling the memory. */
const MOST_NOTED = 5000;

interface NotedImpressions extends Impressions {
  readonly member: Member;
  readonly project: string | undefined;
  readonly atS: number;
}

/** Buffers lines that hooks showed to agents and writes them in batches, so that no agent waits for them. */
export class ImpressionBuffer {
  readonly #transactions: Transactions;
  readonly #clock: Clock;
  #noted: NotedImpressions[] = [];

  constructor(transactions: Transactions, clock: Clock) {
    this.#transactions = transactions;
    this.#clock = clock;
  }

  note(shown: Impressions, { member, project }: Pick<Caller, "member" | "project">): void {
    if (shown.lines.length === 0 || this.#noted.length >= MOST_NOTED) return;
    this.#noted.push({ ...shown, member, project, atS: toSeconds(this.#clock.now()) });
  }

  async flush(): Promise<void> {
    if (this.#noted.length === 0) return;
    const noted = this.#noted;
    this.#noted = [];
    await this.#transactions.transact({ caller: WRITER, isOwn: true }, (tx) => write(tx, noted), { lane: "sweep" });
  }
}

// A memory may have been deleted meanwhile.
const PUT = `INSERT INTO injections (member_id, session_id, memory_id, surface, at, tokens, project_id)
  SELECT CAST(? AS bigint), CAST(? AS text), m.id, CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint)
  FROM memories m WHERE m.id = ? ON CONFLICT DO NOTHING`;
const COUNT = `UPDATE memories SET injected_count = injected_count + ?, last_injected_at = ? WHERE id = ?`;

async function write(tx: Transaction, noted: readonly NotedImpressions[]): Promise<void> {
  const { connection } = tx;
  const places = await tx.places();
  const times = new Map<number, { times: number; atS: number }>();
  for (const { member, project, session, surface, lines, atS } of noted) {
    tx.ensureMember(member);
    const projectId = project === undefined ? null : (places.find(project)?.id ?? null);
    for (const { id, tokens } of lines) {
      times.set(id, { times: (times.get(id)?.times ?? 0) + 1, atS });
      if (session !== undefined) connection.later(PUT, member.id, session, surface, atS, tokens, projectId, id);
    }
  }
  // Ordered by id, so that two backends lock rows in the same order.
  for (const [id, { times: more, atS }] of [...times].sort(([a], [b]) => a - b)) connection.later(COUNT, more, atS, id);
}
