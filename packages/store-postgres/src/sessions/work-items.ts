import { PRIORITIES, type Space, WORK_STATUSES, type WorkItem, type WorkReads, type WorkWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate, toDateIfAny } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

interface WorkItemRow {
  readonly id: number;
  readonly title: string;
  readonly detail: string | null;
  readonly priority: number;
  readonly status: string;
  /** A list, as JSON. */
  readonly files: string | null;
  readonly author: string;
  readonly reason: string | null;
  readonly closed_by_memory_id: number | null;
  readonly created_at: number;
  readonly closed_at: number | null;
}

const ITEMS = `SELECT w.id, w.title, w.detail, w.priority, w.status, w.files, a.name AS author, w.reason,
    c.id AS closed_by_memory_id, w.created_at, w.closed_at
  FROM work_items w JOIN members a ON a.id = w.author_id
    LEFT JOIN memories c ON c.id = w.closed_by_memory_id AND c.space = ANY (?)`;
// Work of no project belongs to the team.
const IS_VISIBLE = "coalesce('p' || w.project_id, 'team') = ANY (?)";
const LAST_ENDED = "ORDER BY w.closed_at DESC, w.id DESC LIMIT ?";
const ORDER = "ORDER BY w.priority, w.created_at, w.id";

interface WorkStandpoint {
  readonly spaces: () => Promise<readonly Space[]>;
  /** Undefined for a project that holds nothing yet. */
  readonly projectId: (key: string) => Promise<number | undefined>;
}

export function workReads(connection: Reading, { spaces, projectId }: WorkStandpoint): WorkReads {
  return {
    async open(projectKey) {
      const [open, project] = await Promise.all([
        spaces(),
        projectKey === undefined ? undefined : projectId(projectKey),
      ]);
      const rows =
        projectKey === undefined
          ? await connection.all<WorkItemRow>(`${ITEMS} WHERE w.status = 'open' AND ${IS_VISIBLE} ${ORDER}`, open, open)
          : await connection.all<WorkItemRow>(
              `${ITEMS} WHERE w.status = 'open' AND w.project_id = ? AND ${IS_VISIBLE} ${ORDER}`,
              open,
              project ?? null,
              open,
            );
      return rows.map(toItem);
    },
    async ended(projectKey, limit) {
      const [open, project] = await Promise.all([
        spaces(),
        projectKey === undefined ? undefined : projectId(projectKey),
      ]);
      const rows =
        projectKey === undefined
          ? await connection.all<WorkItemRow>(
              `${ITEMS} WHERE w.status <> 'open' AND ${IS_VISIBLE} ${LAST_ENDED}`,
              open,
              open,
              limit,
            )
          : await connection.all<WorkItemRow>(
              `${ITEMS} WHERE w.status <> 'open' AND w.project_id = ? AND ${IS_VISIBLE} ${LAST_ENDED}`,
              ...[open, project ?? null, open, limit],
            );
      return rows.map(toItem);
    },
    async byId(id) {
      const open = await spaces();
      const row = await connection.get<WorkItemRow>(`${ITEMS} WHERE w.id = ? AND ${IS_VISIBLE}`, open, id, open);
      return row && toItem(row);
    },
  };
}

const ADD = `INSERT INTO work_items (project_id, title, detail, priority, files, author_id, session_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;

export function workWrites(tx: Transaction): WorkWrites {
  const { connection, caller, nowS } = tx;
  const reads = workReads(connection, {
    spaces: () => tx.spacesIn("everywhere"),
    projectId: async (key) => (await tx.places()).find(key)?.id,
  });
  return {
    ...reads,
    async byId(id) {
      // When two callers end one item at once, the second waits here, and finds it ended.
      await connection.get("SELECT 1 FROM work_items WHERE id = ? FOR UPDATE", id);
      return reads.byId(id);
    },
    async add({ title, detail, priority, files, projectKey }) {
      const added = await connection.get<{ id: number }>(
        ADD,
        (await tx.projectId(projectKey)) ?? null,
        title,
        detail ?? null,
        priority,
        JSON.stringify(files),
        caller.member.id,
        tx.session ?? null,
        nowS,
      );
      const item = added && (await reads.byId(added.id));
      if (!item) throw new Error("a work item that was added is not there");
      tx.audit("work.add", { subject: `work:${item.id}` });
      return item;
    },
    async end({ id }, { status, reason, memoryId }) {
      connection.later(
        `UPDATE work_items SET status = ?, reason = ?, closed_by_memory_id = ?, closed_at = ?
         WHERE id = ? AND status = 'open'`,
        status,
        reason ?? null,
        memoryId ?? null,
        nowS,
        id,
      );
      tx.audit(`work.${status}`, { subject: `work:${id}`, memoryIds: memoryId === undefined ? [] : [memoryId] });
    },
    async reopen({ id }) {
      connection.later(
        `UPDATE work_items SET status = 'open', reason = NULL, closed_by_memory_id = NULL, closed_at = NULL
         WHERE id = ? AND status <> 'open'`,
        id,
      );
      tx.audit("work.reopen", { subject: `work:${id}` });
    },
  };
}

const toItem = (row: WorkItemRow): WorkItem => ({
  id: row.id,
  title: row.title,
  detail: row.detail ?? undefined,
  priority: PRIORITIES.find((known) => known === row.priority) ?? 2,
  status: WORK_STATUSES.find((known) => known === row.status) ?? "open",
  files: row.files === null ? [] : JSON.parse(row.files),
  author: row.author,
  reason: row.reason ?? undefined,
  closedByMemoryId: row.closed_by_memory_id ?? undefined,
  createdAt: toDate(row.created_at),
  closedAt: toDateIfAny(row.closed_at),
});
