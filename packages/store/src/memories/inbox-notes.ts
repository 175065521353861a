import { type Caller, isBuiltIn, LOCAL, UNSTATED_CLIENT } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import {
  type InboxItem,
  type InboxKind,
  type InboxNote,
  type InboxReads,
  type InboxWrites,
  inboxKey,
  type MemoryRows,
} from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { ITEM_COLUMNS, stillWaiting } from "../database/inbox-items.ts";
import { type Places, readPlaces } from "../database/places.ts";
import { toDate, toDateIfAny, toSeconds } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

const KEY = Object.keys(ITEM_COLUMNS).join(", ");

const sqlOf = statements((d) => {
  const items = d.rowsOf(ITEM_COLUMNS, "i");
  return {
    notes: `SELECT n.memory_id, n.other_id, a.name AS assignee, n.snoozed_until, n.reason, w.name AS author, n.noted_at
      FROM ${items} JOIN inbox_notes n ON n.kind = i.kind AND n.memory_id = i.memory_id AND n.other_id = i.other_id
        JOIN members w ON w.id = n.author_id LEFT JOIN members a ON a.id = n.assignee_id`,
    hold: `SELECT id FROM memories WHERE ${d.isOneOf("id")} ORDER BY id ${d.forUpdate}`,
    put: `INSERT INTO inbox_notes (kind, memory_id, other_id, assignee_id, snoozed_until, reason, author_id, noted_at)
      SELECT i.kind, i.memory_id, i.other_id, CAST(? AS bigint), CAST(? AS bigint), CAST(? AS text), CAST(? AS bigint), CAST(? AS bigint)
      FROM ${items} WHERE true ON CONFLICT (${KEY}) DO UPDATE SET
        assignee_id = CASE WHEN CAST(? AS boolean) THEN excluded.assignee_id ELSE inbox_notes.assignee_id END,
        snoozed_until = CASE WHEN CAST(? AS boolean) THEN excluded.snoozed_until ELSE inbox_notes.snoozed_until END,
        reason = CASE WHEN CAST(? AS boolean) THEN excluded.reason ELSE inbox_notes.reason END,
        author_id = excluded.author_id, noted_at = excluded.noted_at`,
    dropEmpty: `DELETE FROM inbox_notes WHERE assignee_id IS NULL AND snoozed_until IS NULL
      AND (${KEY}) IN (SELECT ${KEY} FROM ${items})`,
  };
});

interface NoteRow {
  readonly memory_id: number;
  readonly other_id: number;
  readonly assignee: string | null;
  readonly snoozed_until: number | null;
  readonly reason: string | null;
  readonly author: string;
  readonly noted_at: number;
}

const toNote = (row: NoteRow): InboxNote => ({
  assignee: row.assignee ?? undefined,
  snoozedUntil: toDateIfAny(row.snoozed_until),
  reason: row.reason ?? undefined,
  author: row.author,
  notedAt: toDate(row.noted_at),
});

/** Items as bound rows. */
const rowsOf = (items: readonly InboxItem[]): string =>
  JSON.stringify(
    items.map(({ kind, memoryId, againstId = memoryId }) => [
      ...[kind, Math.max(memoryId, againstId), Math.min(memoryId, againstId)],
    ]),
  );

const idsOf = ({ memoryId, againstId = memoryId }: InboxItem): number[] => [...new Set([memoryId, againstId])];

interface InboxParts extends Pick<MemoryRows, "byIds"> {
  readonly caller: Caller;
  readonly places: () => Promise<Places>;
  /** A memory that waits for the caller's approval, or whose request it made. */
  readonly promotion: (id: number) => Promise<Memory | undefined>;
}

/** @param connection reads also what waits in other members' spaces; only items that were found decidable are asked for */
export function inboxReads(connection: Reading, { caller, byIds, places, promotion }: InboxParts): InboxReads {
  const sql = sqlOf(connection.dialect);
  return {
    async notes(items) {
      if (items.length === 0) return new Map();
      const rows = await connection.all<NoteRow>(sql.notes, rowsOf(items));
      return new Map(
        rows.map((row) => [inboxKey({ memoryId: row.memory_id, againstId: row.other_id }), toNote(row)] as const),
      );
    },

    async decidable(items) {
      const ids = new Set(items.flatMap((item) => (item.kind === "promotions" ? [] : idsOf(item))));
      const opened = new Map((await byIds([...ids])).map((memory) => [memory.id, memory]));
      const found = new Map<InboxItem, readonly Memory[]>();
      for (const item of items) {
        const memories =
          item.kind === "promotions" ? [await promotion(item.memoryId)] : idsOf(item).map((id) => opened.get(id));
        if (memories.every((memory) => memory !== undefined)) found.set(item, memories);
      }
      const rows = await connection.all<Pick<NoteRow, "memory_id" | "other_id"> & { kind: InboxKind }>(
        stillWaiting(connection.dialect),
        rowsOf([...found.keys()]),
      );
      const waiting = new Set(
        rows.map((row) => `${row.kind} ${inboxKey({ memoryId: row.memory_id, againstId: row.other_id })}`),
      );
      return new Map([...found].filter(([item]) => waiting.has(`${item.kind} ${inboxKey(item)}`)));
    },

    async deciders(items) {
      const [members, known] = await Promise.all([connection.all<Decider>(DECIDERS), places()]);
      const isOffered = (member: Decider) => !isBuiltIn(member) || member.id === caller.member.id;
      return new Map(
        members
          .filter((member) => isOffered(member) && [...items].every((item) => mayDecide(member, item, known)))
          .map(({ name, id }) => [name, id] as const),
      );
    },
  };
}

const DECIDERS = "SELECT id, name, role, status FROM members WHERE status = 'active' ORDER BY name";

interface Decider {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly status: string;
}

/** Whether a member may open the memories of an item, and decide it: a request is an admin's, and its author's. */
function mayDecide(member: Decider, [{ kind }, memories]: readonly [InboxItem, readonly Placed[]], places: Places) {
  if (member.status !== "active") return false;
  const { id, name, role } = member;
  const caller: Caller = { member: { id, name }, scopes: new Set(), project: undefined, client: UNSTATED_CLIENT };
  const open = new Set(places.spaces(caller, "everywhere"));
  if (kind !== "promotions") return memories.every(({ space }) => open.has(space));
  return memories.every(
    ({ authorId, projectId }) =>
      authorId === id ||
      ((role === "admin" || id === LOCAL.id) && (projectId === undefined || open.has(`p${projectId}`))),
  );
}

type Placed = Pick<Memory, "space" | "authorId" | "projectId">;

export function inboxWrites(tx: Transaction, parts: Omit<InboxParts, "caller" | "places">): InboxWrites {
  const { connection, caller, nowS } = tx;
  const sql = sqlOf(connection.dialect);
  const reads = inboxReads(connection, { ...parts, caller, places: () => tx.places() });
  return {
    ...reads,
    async decidable(items) {
      // Waits for a decision that is being made, and makes the next one wait for the note.
      await connection.all(sql.hold, [...new Set(items.flatMap(idsOf))]);
      return reads.decidable(items);
    },
    async note(items, { assigneeId, snoozedUntil, reason }) {
      const rows = rowsOf(items);
      connection.later(
        sql.put,
        assigneeId ?? null,
        snoozedUntil ? toSeconds(snoozedUntil) : null,
        reason ?? null,
        caller.member.id,
        nowS,
        rows,
        ...[assigneeId, snoozedUntil, reason].map((input) => input !== undefined),
      );
      connection.later(sql.dropEmpty, rows);
      const memoryIds = [...new Set(items.flatMap(idsOf))];
      if (assigneeId !== undefined)
        tx.audit(assigneeId === null ? "inbox.release" : "inbox.assign", {
          memoryIds,
          ...(assigneeId === null ? {} : { subject: `member:${assigneeId}` }),
        });
      if (snoozedUntil !== undefined) tx.audit(snoozedUntil === null ? "inbox.wake" : "inbox.snooze", { memoryIds });
    },
  };
}

interface AssignedRow {
  readonly kind: InboxKind;
  readonly memory_id: number;
  readonly other_id: number;
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly status: string;
  readonly space: string;
  readonly other_space: string;
  readonly author_id: number;
  readonly project_id: number | null;
}

const ASSIGNED = `SELECT n.kind, n.memory_id, n.other_id, a.id, a.name, a.role, a.status, m.space, t.space AS other_space,
    m.author_id, m.project_id
  FROM inbox_notes n JOIN members a ON a.id = n.assignee_id JOIN memories m ON m.id = n.memory_id
    JOIN memories t ON t.id = n.other_id ORDER BY n.memory_id`;
const RELEASE = "UPDATE inbox_notes SET assignee_id = NULL WHERE kind = ? AND memory_id = ? AND other_id = ?";
const DROP_RELEASED = `DELETE FROM inbox_notes WHERE assignee_id IS NULL AND coalesce(snoozed_until, 0) <= ?`;

/** Takes items from members who may no longer decide them, after a change of rights or of a memory's place. */
export async function releaseItems({ connection, nowS }: Pick<Transaction, "connection" | "nowS">): Promise<void> {
  const rows = await connection.all<AssignedRow>(ASSIGNED);
  if (rows.length === 0) return;
  const places = await readPlaces(connection);
  const isOver = ({ kind, memory_id, author_id, project_id, space, other_space, ...member }: AssignedRow) => {
    const memories = [space, other_space].map((each) => ({
      ...{ space: each, authorId: author_id, projectId: project_id ?? undefined },
    }));
    return !mayDecide(member, [{ kind, memoryId: memory_id }, memories], places);
  };
  const released = rows.filter(isOver);
  for (const { kind, memory_id, other_id } of released) connection.later(RELEASE, kind, memory_id, other_id);
  if (released.length > 0) connection.later(DROP_RELEASED, nowS);
}
