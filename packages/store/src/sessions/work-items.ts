import type { Space } from "@chest/core/access";
import { PRIORITIES, WORK_STATUSES, type WorkItem, type WorkReads, type WorkWrites } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate, toDateIfAny } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import type { work_itemsModel } from "../generated/models.ts";

type WorkItemRow = Pick<
  work_itemsModel,
  | "id"
  | "title"
  | "detail"
  | "priority"
  | "status"
  | "files"
  | "reason"
  | "closed_by_memory_id"
  | "created_at"
  | "closed_at"
> & { readonly author: string; readonly project: string | null };

// Items without a project belong to the team.
const SPACE = "coalesce('p' || w.project_id, 'team')";
const LAST_ENDED = "ORDER BY w.closed_at DESC, w.id DESC LIMIT ?";
const ORDER = "ORDER BY w.priority, w.created_at, w.id";

/** Statements that take the spaces of visible memories, then their filters, then the spaces of the items. */
const sqlOf = statements((d) => {
  const items = `SELECT w.id, w.title, w.detail, w.priority, w.status, w.files, a.name AS author, p.key AS project, w.reason,
      c.id AS closed_by_memory_id, w.created_at, w.closed_at
    FROM work_items w JOIN members a ON a.id = w.author_id LEFT JOIN projects p ON p.id = w.project_id
      LEFT JOIN memories c ON c.id = w.closed_by_memory_id AND ${d.isOneOf("c.space")}`;
  const isVisible = d.isOneOf(SPACE);
  return {
    open: `${items} WHERE w.status = 'open' AND ${isVisible} ${ORDER}`,
    openIn: `${items} WHERE w.status = 'open' AND w.project_id = ? AND ${isVisible} ${ORDER}`,
    ended: `${items} WHERE w.status <> 'open' AND ${isVisible} ${LAST_ENDED}`,
    endedIn: `${items} WHERE w.status <> 'open' AND w.project_id = ? AND ${isVisible} ${LAST_ENDED}`,
    byId: `${items} WHERE w.id = ? AND ${isVisible}`,
    hold: `SELECT 1 FROM work_items WHERE id = ? ${d.forUpdate}`,
  };
});

interface WorkStandpoint {
  readonly spaces: () => Promise<readonly Space[]>;
  /** Undefined for a project without rows. */
  readonly projectId: (key: string) => Promise<number | undefined>;
}

export function workReads(connection: Reading, { spaces, projectId }: WorkStandpoint): WorkReads {
  const sql = sqlOf(connection.dialect);
  return {
    async open(projectKey) {
      const visible = await spaces();
      const rows =
        projectKey === undefined
          ? await connection.all<WorkItemRow>(sql.open, visible, visible)
          : await connection.all<WorkItemRow>(sql.openIn, visible, (await projectId(projectKey)) ?? null, visible);
      return rows.map(toItem);
    },
    async ended(projectKey, limit) {
      const visible = await spaces();
      const rows =
        projectKey === undefined
          ? await connection.all<WorkItemRow>(sql.ended, visible, visible, limit)
          : await connection.all<WorkItemRow>(
              sql.endedIn,
              visible,
              (await projectId(projectKey)) ?? null,
              visible,
              limit,
            );
      return rows.map(toItem);
    },
    async byId(id) {
      const visible = await spaces();
      const row = await connection.get<WorkItemRow>(sql.byId, visible, id, visible);
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
      // Serialises calls that close the same item, so that the second finds it closed.
      await connection.get(sqlOf(connection.dialect).hold, id);
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
  project: row.project ?? undefined,
  reason: row.reason ?? undefined,
  closedByMemoryId: row.closed_by_memory_id ?? undefined,
  createdAt: toDate(row.created_at),
  closedAt: toDateIfAny(row.closed_at),
});
