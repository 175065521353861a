import { PRIORITIES, type Space, WORK_STATUSES, type WorkItem, type WorkReads, type WorkWrites } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import type { Transaction } from "../database/transaction.ts";

interface WorkItemRow {
  readonly id: number;
  readonly title: string;
  readonly detail: string | null;
  readonly priority: number;
  readonly status: string;
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
    LEFT JOIN memories c ON c.id = w.closed_by_memory_id AND c.space IN (SELECT value FROM json_each(:open))`;
// Work of no project belongs to the team.
const IS_VISIBLE = "coalesce('p' || w.project_id, 'team') IN (SELECT value FROM json_each(:open))";
const LAST_ENDED = "ORDER BY w.closed_at DESC, w.id DESC LIMIT :limit";
const ORDER = "ORDER BY w.priority, w.created_at, w.id";

interface CallerContext {
  readonly spaces: () => readonly Space[];
  /** Undefined for a project that holds nothing yet. */
  readonly projectId: (key: string) => number | undefined;
}

export function workReads(connection: Reading, { spaces, projectId }: CallerContext): WorkReads {
  return {
    async open(projectKey) {
      const open = JSON.stringify(spaces());
      if (projectKey === undefined) {
        return connection
          .all<WorkItemRow>(`${ITEMS} WHERE w.status = 'open' AND ${IS_VISIBLE} ${ORDER}`, { open })
          .map(toItem);
      }
      const sql = `${ITEMS} WHERE w.status = 'open' AND w.project_id = :project AND ${IS_VISIBLE} ${ORDER}`;
      return connection.all<WorkItemRow>(sql, { open, project: projectId(projectKey) ?? null }).map(toItem);
    },
    async ended(projectKey, limit) {
      const open = JSON.stringify(spaces());
      const sql = `${ITEMS} WHERE w.status <> 'open' AND (:all OR w.project_id = :project) AND ${IS_VISIBLE} ${LAST_ENDED}`;
      const project = projectKey === undefined ? null : (projectId(projectKey) ?? null);
      const all = Number(projectKey === undefined);
      return connection.all<WorkItemRow>(sql, { open, all, project, limit }).map(toItem);
    },
    async byId(id) {
      const open = JSON.stringify(spaces());
      const row = connection.get<WorkItemRow>(`${ITEMS} WHERE w.id = :id AND ${IS_VISIBLE}`, { id, open });
      return row && toItem(row);
    },
  };
}

export function workWrites(tx: Transaction, standpoint: CallerContext): WorkWrites {
  const { connection, caller, nowS } = tx;
  const reads = workReads(connection, standpoint);
  return {
    ...reads,
    async add({ title, detail, priority, files, projectKey }) {
      const added = connection.get<{ id: number }>(
        `INSERT INTO work_items (project_id, title, detail, priority, files, author_id, session_id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        tx.projectId(projectKey) ?? null,
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
      connection.run(
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
      connection.run(
        `UPDATE work_items SET status = 'open', reason = NULL, closed_by_memory_id = NULL, closed_at = NULL
         WHERE id = ? AND status <> 'open'`,
        id,
      );
      tx.audit("work.reopen", { subject: `work:${id}` });
    },
  };
}

function toItem(row: WorkItemRow): WorkItem {
  return {
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
    closedAt: row.closed_at === null ? undefined : toDate(row.closed_at),
  };
}
