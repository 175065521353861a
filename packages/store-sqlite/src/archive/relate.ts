import {
  type ConsolidationRecord,
  type EditRecord,
  type ImportTally,
  type LinkRecord,
  LOCAL,
  type Member,
  pathKeyOf,
  redact,
  spaceOf,
  type WorkRecord,
} from "@chest/core";
import { MEMORY_COLUMNS, MEMORY_FROM, type MemoryRow, toMemory } from "../database/row-mapping.ts";
import { writeText } from "../memories/memory-writes.ts";
import type { Transaction } from "../writing/transaction.ts";
import { memberNamed, placeOf } from "./places.ts";

/** Records of an archive that relate memories, all of which are in by then. */
export type Related = LinkRecord | EditRecord | ConsolidationRecord | WorkRecord;
export type Superseded = { readonly uid: string; readonly by: string };

export function relate(tx: Transaction, tally: ImportTally, record: Related): void {
  if (record.type === "edit") edit(tx, tally, record);
  else if (record.type === "link") link(tx, tally, record);
  else if (record.type === "work") work(tx, tally, record);
  else consolidate(tx, record);
}

/** Names the successor of a row that came in as superseded; one that was brought back since stays so. */
export function succeed(tx: Transaction, { uid, by }: Superseded): void {
  const successor = idOf(tx, by);
  if (successor === undefined) return;
  const { changes } = tx.sync.run(
    `UPDATE memories SET superseded_by_id = ? WHERE uid = ? AND superseded_by_id IS NULL
       AND archived_at IS NOT NULL AND archived_reason = 'superseded' AND id <> ?`,
    successor,
    uid,
    successor,
  );
  if (changes === 0) return;
  const id = idOf(tx, uid);
  if (id === undefined) return;
  const row = tx.sync.get<MemoryRow>(`SELECT ${MEMORY_COLUMNS} ${MEMORY_FROM} WHERE m.id = ?`, id);
  if (row) writeText(tx, toMemory(row));
}

function link(
  tx: Transaction,
  tally: ImportTally,
  { from, to, kind, note, origin, author, created_at }: LinkRecord,
): void {
  const [fromId, toId] = [idOf(tx, from), idOf(tx, to)];
  if (fromId === undefined || toId === undefined) {
    tally.leave({ what: "link", ref: `${from} → ${to}`, reason: "one of its memories is not there" });
    return;
  }
  const { changes } = tx.sync.run(
    `INSERT OR IGNORE INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    fromId,
    toId,
    kind,
    note && redact(note),
    origin,
    memberNamed(tx, author).id,
    created_at,
  );
  tally.links += changes;
}

function edit(tx: Transaction, tally: ImportTally, record: EditRecord): void {
  const { projectId, author } = placeOf(tx, record);
  const { sync: connection } = tx;
  if (isKnownEdit(connection, record, author)) return;
  connection.run(
    `INSERT OR IGNORE INTO sessions (id, project_id, member_id, status, started_at, last_seen_at, ended_at)
     VALUES (?, ?, ?, 'closed', ?, ?, ?)`,
    record.session,
    projectId ?? null,
    author.id,
    record.occurred_at,
    record.occurred_at,
    record.occurred_at,
  );
  const path = redact(record.file_path);
  const { changes } = connection.run(
    `INSERT OR IGNORE INTO session_file_edits
       (member_id, session_id, memory_id, file_path, path_key, operation, turn_uuid, ordinal, context_snippet, occurred_at, space)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    author.id,
    record.session,
    (record.memory && idOf(tx, record.memory)) ?? null,
    path,
    pathKeyOf(path),
    record.operation,
    record.turn,
    record.ordinal,
    record.snippet && redact(record.snippet),
    record.occurred_at,
    spaceOf(record.visibility, author, projectId),
  );
  tally.edits += changes;
}

/**
 * Whether an edit is here already, brought by any member. Archives of 0.1.0 named no author for most edits: what came
 * in from one is the importer's, and what one brings again is found under its author.
 */
function isKnownEdit(
  connection: Transaction["sync"],
  { session, turn, ordinal, author: stated }: EditRecord,
  author: Member,
): boolean {
  const sql = "SELECT member_id AS id FROM session_file_edits WHERE session_id = ? AND turn_uuid = ? AND ordinal = ?";
  const members = connection.ids(sql, session, turn, ordinal);
  return stated === undefined ? members.length > 0 : members.includes(author.id) || members.includes(LOCAL.id);
}

function work(tx: Transaction, tally: ImportTally, { author: name, project, ...record }: WorkRecord): void {
  const { projectId, author } = placeOf(tx, { author: name, project });
  const title = redact(record.title);
  const { changes } = tx.sync.run(
    `INSERT INTO work_items (project_id, title, detail, priority, status, files, author_id, closed_by_memory_id, reason, created_at, closed_at)
     SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
     WHERE NOT EXISTS (SELECT 1 FROM work_items WHERE project_id IS ? AND title = ? AND created_at = ?)`,
    projectId ?? null,
    title,
    record.detail && redact(record.detail),
    record.priority,
    record.status,
    JSON.stringify(record.files.map(redact)),
    author.id,
    (record.closed_by && idOf(tx, record.closed_by)) ?? null,
    record.reason && redact(record.reason),
    record.created_at,
    record.closed_at,
    projectId ?? null,
    title,
    record.created_at,
  );
  tally.work += changes;
}

function consolidate(tx: Transaction, { summary, replaced, ...record }: ConsolidationRecord): void {
  const { sync: connection } = tx;
  const summaryId = idOf(tx, summary);
  if (summaryId === undefined) return;
  const ids = replaced.flatMap((uid) => idOf(tx, uid) ?? []);
  connection.run(
    `INSERT INTO consolidations (summary_id, replaced_ids, replaced_count, entity_id, original_layer, created_at, undone_at)
     SELECT ?, ?, ?, entity_id, ?, ?, ? FROM memories WHERE id = ?
       AND NOT EXISTS (SELECT 1 FROM consolidations WHERE summary_id = ? AND created_at = ?)`,
    summaryId,
    JSON.stringify(ids),
    ids.length,
    record.original_layer,
    record.created_at,
    record.undone_at,
    summaryId,
    summaryId,
    record.created_at,
  );
}

const idOf = ({ sync: connection }: Transaction, uid: string): number | undefined =>
  connection.get<{ id: number }>("SELECT id FROM memories WHERE uid = ?", uid)?.id;
