import type { Clock, WebhookBook, WebhookRow } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { toDate, toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transactions } from "../database/transact.ts";

interface RowOfTable {
  readonly id: number;
  readonly url: string;
  readonly ops: string | null;
  readonly secret: string;
  readonly member_id: number;
  readonly project_ids: string | null;
  readonly token_id: number | null;
  readonly created_at: number;
  readonly cursor: number;
  readonly failures: number;
  readonly trouble: string | null;
  readonly delivered_at: number | null;
  readonly rests_until: number;
}

const COLUMNS = `id, url, ops, secret, member_id, project_ids, token_id, created_at, cursor, failures, trouble,
  delivered_at, rests_until`;

const ADD = `INSERT INTO webhooks (url, ops, secret, member_id, project_ids, token_id, created_at, cursor)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`;

const NOTE = `UPDATE webhooks SET cursor = ?, failures = ?, trouble = ?, delivered_at = ?, rests_until = ? WHERE id = ?`;

export interface WebhookParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  readonly clock: Clock;
  /** Number in the audit log below which none is still to come. */
  newest(): Promise<number>;
}

/** Webhooks, in a table of their own: a claim keeps other backends away from one. */
export function webhookBook({ reader, transactions, clock, newest }: WebhookParts): WebhookBook {
  return {
    list: async () => (await reader.all<RowOfTable>(`SELECT ${COLUMNS} FROM webhooks ORDER BY id`)).map(toWebhook),
    async add(by, { url, ops, secret, memberId, projectIds, tokenId }) {
      const cursor = await newest();
      return transactions.transact({ caller: by }, async (tx) => {
        tx.ensureMember(by.member);
        const kinds = ops === undefined ? null : JSON.stringify(ops);
        const projects = projectIds === undefined ? null : JSON.stringify(projectIds);
        const of = [memberId, projects, tokenId ?? null] as const;
        const row = await tx.connection.get<RowOfTable>(ADD, url, kinds, secret, ...of, tx.nowS, cursor);
        if (!row) throw new Error("an insert returned no row");
        tx.audit("webhook.add", { subject: `webhook:${row.id}` });
        return toWebhook(row);
      });
    },
    remove: (by, id) =>
      transactions.transact({ caller: by }, async (tx) => {
        const isGone = (await tx.connection.run("DELETE FROM webhooks WHERE id = ?", id)).changes > 0;
        if (!isGone) return false;
        tx.ensureMember(by.member);
        tx.audit("webhook.remove", { subject: `webhook:${id}` });
        return true;
      }),
    async claim(id, until) {
      const sql = "UPDATE webhooks SET rests_until = ? WHERE id = ? AND rests_until <= ?";
      const times = [toSeconds(until), toSeconds(clock.now())] as const;
      return (await transactions.write((tx) => tx.run(sql, times[0], id, times[1]))).changes > 0;
    },
    async note(id, { cursor, failures, trouble, deliveredAt, restsUntil }) {
      const state = [cursor, failures, trouble ?? null, deliveredAt ? toSeconds(deliveredAt) : null] as const;
      await transactions.write((tx) => tx.run(NOTE, ...state, toSeconds(restsUntil), id));
    },
  };
}

const toWebhook = (row: RowOfTable): WebhookRow => ({
  id: row.id,
  url: row.url,
  ops: row.ops === null ? undefined : JSON.parse(row.ops),
  secret: row.secret,
  memberId: row.member_id,
  projectIds: row.project_ids === null ? undefined : JSON.parse(row.project_ids),
  tokenId: row.token_id ?? undefined,
  createdAt: toDate(row.created_at),
  cursor: row.cursor,
  failures: row.failures,
  trouble: row.trouble ?? undefined,
  deliveredAt: toDateIfAny(row.delivered_at),
  restsUntil: toDate(row.rests_until),
});
