import { LOCAL, type Member, spaceOf } from "@chest/core/access";
import type {
  ConsolidationRecord,
  EditRecord,
  ImportTally,
  InboxRecord,
  LinkRecord,
  WorkRecord,
} from "@chest/core/archive";
import { pathKeyOf } from "@chest/core/files";
import { redact } from "@chest/core/redaction";
import { dropDecided } from "../database/inbox-items.ts";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toMemory } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { incomingFormer, memberNamed, placeOf } from "./places.ts";

/** Records that relate memories, imported after all memories. */
export type Related = LinkRecord | EditRecord | ConsolidationRecord | WorkRecord | InboxRecord;
export type Superseded = { readonly uid: string; readonly by: string };

/** Records a change of the counts, applied after the commit, because a transaction may be retried. */
export type Note = (change: (tally: ImportTally) => void) => void;

export async function relate(tx: Transaction, note: Note, record: Related): Promise<void> {
  if (record.type === "edit") await edit(tx, note, record);
  else if (record.type === "link") await link(tx, note, record);
  else if (record.type === "work") await work(tx, note, record);
  else if (record.type === "inbox") await inboxNote(tx, note, record);
  else await consolidate(tx, record);
}

/** Links a superseded row to its successor, unless it was restored since. */
export async function succeed(tx: Transaction, { uid, by }: Superseded): Promise<void> {
  const successor = await idOf(tx, by);
  if (successor === undefined) return;
  const changed = await tx.connection.get<{ id: number }>(
    `UPDATE memories SET superseded_by_id = ? WHERE uid = ? AND superseded_by_id IS NULL
       AND archived_at IS NOT NULL AND archived_reason = 'superseded' AND id <> ? RETURNING id`,
    successor,
    uid,
    successor,
  );
  if (!changed) return;
  const sql = `SELECT ${memoryColumns(tx.connection.dialect)} ${MEMORY_FROM} WHERE m.id = ?`;
  const row = await tx.connection.get<MemoryRow>(sql, changed.id);
  if (row) await tx.texts.write(toMemory(row));
}

async function link(tx: Transaction, tell: Note, { from, to, kind, note, ...link }: LinkRecord): Promise<void> {
  const [fromId, toId] = [await idOf(tx, from), await idOf(tx, to)];
  if (fromId === undefined || toId === undefined) {
    const reason = "one of its memories is not there";
    tell((tally) => tally.leave({ what: "link", ref: `${from} → ${to}`, reason }));
    return;
  }
  const { changes } = await tx.connection.run(
    `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    fromId,
    toId,
    kind,
    note && redact(note),
    link.origin,
    (await memberNamed(tx, link.author)).id,
    link.created_at,
  );
  tell((tally) => {
    tally.links += changes;
  });
}

async function edit(tx: Transaction, tell: Note, record: EditRecord): Promise<void> {
  const { projectId, author } = await placeOf(tx, record);
  const { connection } = tx;
  if (await isKnownEdit(connection, record, author)) return;
  connection.later(
    `INSERT INTO sessions (id, project_id, member_id, status, started_at, last_seen_at, ended_at)
     VALUES (?, ?, ?, 'closed', ?, ?, ?) ON CONFLICT DO NOTHING`,
    record.session,
    projectId ?? null,
    author.id,
    record.occurred_at,
    record.occurred_at,
    record.occurred_at,
  );
  const path = redact(record.file_path);
  const { changes } = await connection.run(
    `INSERT INTO session_file_edits
       (member_id, session_id, memory_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space, joined_from)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    author.id,
    record.session,
    (record.memory && (await idOf(tx, record.memory))) ?? null,
    path,
    pathKeyOf(path),
    record.operation,
    record.turn,
    record.ordinal,
    record.snippet && redact(record.snippet),
    record.occurred_at,
    spaceOf(record.visibility, author, projectId),
    incomingFormer(record.joined_from),
  );
  tell((tally) => {
    tally.edits += changes;
  });
}

/** Whether an edit exists, by any member: an archive without an author means its importer. */
async function isKnownEdit(
  connection: Transaction["connection"],
  { session, turn, ordinal, author: stated }: EditRecord,
  author: Member,
): Promise<boolean> {
  const sql = "SELECT member_id AS id FROM session_file_edits WHERE session_id = ? AND turn_uuid = ? AND ordinal = ?";
  const members = await connection.ids(sql, session, turn, ordinal);
  return stated === undefined ? members.length > 0 : members.includes(author.id) || members.includes(LOCAL.id);
}

async function work(tx: Transaction, tell: Note, { author: name, project, ...record }: WorkRecord): Promise<void> {
  const { projectId, author } = await placeOf(tx, { author: name, project });
  const title = redact(record.title);
  const { changes } = await tx.connection.run(
    `INSERT INTO work_items (project_id, title, detail, priority, status, files, author_id, closed_by_memory_id, reason, created_at, closed_at, joined_from)
     SELECT g.project_id, g.title, ?, CAST(? AS integer), ?, ?, CAST(? AS bigint), CAST(? AS bigint), ?, g.created_at, CAST(? AS bigint), CAST(? AS text)
     FROM (SELECT CAST(? AS bigint) AS project_id, CAST(? AS text) AS title, CAST(? AS bigint) AS created_at) g
     WHERE NOT EXISTS (SELECT 1 FROM work_items w WHERE w.project_id IS NOT DISTINCT FROM g.project_id
       AND w.title = g.title AND w.created_at = g.created_at)`,
    record.detail && redact(record.detail),
    record.priority,
    record.status,
    JSON.stringify(record.files.map(redact)),
    author.id,
    (record.closed_by && (await idOf(tx, record.closed_by))) ?? null,
    record.reason && redact(record.reason),
    record.closed_at,
    incomingFormer(record.joined_from),
    projectId ?? null,
    title,
    record.created_at,
  );
  tell((tally) => {
    tally.work += changes;
  });
}

async function consolidate(tx: Transaction, { summary, replaced, ...record }: ConsolidationRecord): Promise<void> {
  const { connection } = tx;
  const summaryId = await idOf(tx, summary);
  if (summaryId === undefined) return;
  const ids = await connection.ids(
    `SELECT id FROM memories WHERE ${connection.dialect.isOneOf("uid")} ORDER BY id`,
    replaced,
  );
  connection.later(
    `INSERT INTO consolidations (summary_id, replaced_ids, entity_id, original_layer, created_at, undone_at)
     SELECT id, ?, entity_id, ?, CAST(? AS bigint), CAST(? AS bigint) FROM memories WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM consolidations WHERE summary_id = ? AND created_at = ?)`,
    ids,
    record.original_layer,
    record.created_at,
    record.undone_at,
    summaryId,
    summaryId,
    record.created_at,
  );
}

/** A note on an item that is decided here is left out. */
async function inboxNote(
  tx: Transaction,
  tell: Note,
  { memory, against = memory, ...record }: InboxRecord,
): Promise<void> {
  const [id, other] = [await idOf(tx, memory), await idOf(tx, against)];
  if (id === undefined || other === undefined) {
    tell((tally) => tally.leave({ what: "inbox", ref: memory, reason: "one of its memories is not there" }));
    return;
  }
  tx.connection.later(
    `INSERT INTO inbox_notes (kind, memory_id, other_id, assignee_id, snoozed_until, reason, author_id, noted_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    record.kind,
    Math.max(id, other),
    Math.min(id, other),
    record.assignee === undefined ? null : (await memberNamed(tx, record.assignee)).id,
    record.snoozed_until,
    record.reason && redact(record.reason),
    (await memberNamed(tx, record.author)).id,
    record.noted_at,
  );
  dropDecided(tx.connection, [id]);
}

const idOf = async ({ connection }: Transaction, uid: string): Promise<number | undefined> =>
  (await connection.get<{ id: number }>("SELECT id FROM memories WHERE uid = ?", uid))?.id;
