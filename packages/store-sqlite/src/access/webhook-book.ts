import type { Clock, WebhookBook, WebhookRow } from "@chest/core";
import type { Connection, Reading } from "../database/connection.ts";
import type { Projects } from "../database/projects.ts";
import { toDate, toSeconds } from "../database/row-mapping.ts";
import { Transaction } from "../writing/transaction.ts";
import type { Writer } from "../writing/write-queue.ts";

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
  SELECT ?, ?, ?, ?, ?, ?, ?, coalesce(max(seq), 0) FROM audit_log RETURNING ${COLUMNS}`;

const NOTE = `UPDATE webhooks SET cursor = ?, failures = ?, trouble = ?, delivered_at = ?, rests_until = ? WHERE id = ?`;

export interface WebhookParts {
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly written: Projects;
  readonly clock: Clock;
}

/** Webhooks, in a table of their own. */
export function webhookBook({ reader, writing, writer, written, clock }: WebhookParts): WebhookBook {
  return {
    list: async () => reader.all<RowOfTable>(`SELECT ${COLUMNS} FROM webhooks ORDER BY id`).map(toWebhook),
    add: (by, { url, ops, secret, memberId, projectIds, tokenId }) =>
      writer.call(async (turn) => {
        const tx = new Transaction({ writing, written }, turn, { caller: by, now: clock.now() });
        tx.ensureMember(by.member);
        const [kinds, projects] = [ops, projectIds].map((list) => (list ? JSON.stringify(list) : null));
        const of = [memberId, projects ?? null, tokenId ?? null] as const;
        const row = tx.sync.get<RowOfTable>(ADD, url, kinds ?? null, secret, ...of, tx.nowS);
        if (!row) throw new Error("an insert returned no row");
        tx.audit("webhook.add", { subject: `webhook:${row.id}` });
        return toWebhook(row);
      }),
    remove: (by, id) =>
      writer.call(async (turn) => {
        const tx = new Transaction({ writing, written }, turn, { caller: by, now: clock.now() });
        const isGone = tx.sync.run("DELETE FROM webhooks WHERE id = ?", id).changes > 0;
        if (isGone) tx.audit("webhook.remove", { subject: `webhook:${id}` });
        return isGone;
      }),
    async claim(id, until) {
      const sql = "UPDATE webhooks SET rests_until = ? WHERE id = ? AND rests_until <= ?";
      const times = [toSeconds(until), toSeconds(clock.now())] as const;
      return (await writer.call(async () => writing.run(sql, times[0], id, times[1]).changes)) > 0;
    },
    async note(id, { cursor, failures, trouble, deliveredAt, restsUntil }) {
      const state = [cursor, failures, trouble ?? null, deliveredAt ? toSeconds(deliveredAt) : null] as const;
      await writer.call(async () => writing.run(NOTE, ...state, toSeconds(restsUntil), id));
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
  deliveredAt: row.delivered_at === null ? undefined : toDate(row.delivered_at),
  restsUntil: toDate(row.rests_until),
});
