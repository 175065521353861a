import { type Memory, type MovedProjects, onlyMetadata } from "@chest/core/memory";
import { statements } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";

// The trigger is copied by SQL, because a loaded memory does not contain it.
const sqlOf = statements((d) => ({
  keep: `INSERT INTO memory_versions (memory_id, version, snapshot, op, reason, author_id, changed_at)
    SELECT m.id, v.version, CASE WHEN m."trigger" IS NULL THEN v.snapshot
        ELSE '{"trigger":' || ${d.jsonText('m."trigger"')} || ',' || substr(v.snapshot, 2) END, v.op, v.reason, v.author_id, v.changed_at
    FROM (SELECT CAST(? AS bigint) AS version, CAST(? AS text) AS snapshot, CAST(? AS text) AS op, CAST(? AS text) AS reason,
        CAST(? AS bigint) AS author_id, CAST(? AS bigint) AS changed_at) v, memories m
    WHERE m.id = ?`,
}));

/**
 * Stores the state before a change, so that it can be read and restored.
 * @param projects those that the change moves the memory between
 */
export function keepVersion(
  { connection, caller, nowS, touch }: Transaction,
  memory: Memory,
  op: string,
  reason?: string,
  projects?: MovedProjects,
): void {
  const { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById } = memory;
  const metadata = onlyMetadata(memory);
  const said = { content, layer, importance, tags, visibility, expiresAt, archivedAt, supersededById, metadata };
  const snapshot = { ...said, projects };
  connection.later(
    sqlOf(connection.dialect).keep,
    memory.version,
    JSON.stringify(snapshot),
    op,
    reason ?? null,
    caller.member.id,
    nowS,
    memory.id,
  );
  connection.later(
    "UPDATE memories SET version = version + 1, updated_at = ?, edited_at = ? WHERE id = ?",
    nowS,
    nowS,
    memory.id,
  );
  touch(memory.id);
}

/** Sets the flags of a memory; an empty list clears them. */
export function putFlags({ connection }: Transaction, { id, flags }: Pick<Memory, "id" | "flags">): void {
  const reasons = flags.length === 0 ? null : JSON.stringify(flags);
  const trust = flags.length === 0 ? "normal" : "flagged";
  connection.later("UPDATE memories SET trust = ?, trust_reasons = ? WHERE id = ?", trust, reasons, id);
}

interface Link {
  readonly from: number;
  readonly to: number;
  readonly type: string;
  readonly origin: "manual" | "auto";
  readonly note?: string | undefined;
}

const LINK = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;

/** Links two memories; an existing link of that type stays. */
export function link({ connection, caller, nowS }: Transaction, { from, to, type, origin, note }: Link): void {
  connection.later(LINK, from, to, type, note ?? null, origin, caller.member.id, nowS);
}
