import type { InboxKind, InboxPart } from "@chest/core/ports";
import type { Condition } from "./condition.ts";
import type { Statements } from "./connection.ts";
import { statements } from "./dialect.ts";

/** Part of the inbox, as a member sees it at a time. */
export interface PartOf {
  readonly part: InboxPart;
  /** Id of the member. */
  readonly member: number;
  /** Unix seconds. */
  readonly nowS: number;
}

/**
 * Condition that an item belongs to a part of the inbox.
 * @param ids SQL of the greater and the lesser id of its memories; of one memory, the same twice
 */
export function isInPart(kind: InboxKind, { part, member, nowS }: PartOf, [id, other]: readonly [string, string]) {
  const noted = (is: string) =>
    `EXISTS (SELECT 1 FROM inbox_notes n WHERE n.kind = '${kind}' AND n.memory_id = ${id} AND n.other_id = ${other} AND ${is})`;
  const parts: Readonly<Record<InboxPart, Condition>> = {
    waiting: { sql: `NOT ${noted("(n.snoozed_until > ? OR n.assignee_id <> ?)")}`, values: [nowS, member] },
    open: { sql: `NOT ${noted("n.snoozed_until > ?")}`, values: [nowS] },
    mine: { sql: noted("coalesce(n.snoozed_until, 0) <= ? AND n.assignee_id = ?"), values: [nowS, member] },
    snoozed: { sql: noted("n.snoozed_until > ?"), values: [nowS] },
  };
  return parts[part];
}

/** Condition that an item `n` with the live memories `m` and `t`, which are one for an item of one memory, still waits. */
const STILL_WAITS = `m.archived_at IS NULL AND t.archived_at IS NULL AND CASE n.kind
    WHEN 'contradictions' THEN EXISTS (SELECT 1 FROM memory_links l WHERE l.type = 'contradicts' AND l.from_id = m.id AND l.to_id = t.id)
      OR EXISTS (SELECT 1 FROM memory_links l WHERE l.type = 'contradicts' AND l.from_id = t.id AND l.to_id = m.id)
    WHEN 'duplicates' THEN m.id <> t.id AND m.space = t.space AND NOT EXISTS (SELECT 1 FROM memory_links l
      WHERE ((l.from_id = m.id AND l.to_id = t.id) OR (l.from_id = t.id AND l.to_id = m.id))
        AND (l.type = 'contradicts' OR (l.type = 'related_to' AND l.origin = 'manual')))
    WHEN 'stale' THEN EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id AND s.status IN ('stale', 'missing'))
    WHEN 'flagged' THEN m.trust <> 'normal'
    WHEN 'promotions' THEN m.requested_visibility IS NOT NULL
    ELSE false END`;
const OF_ITEM = "memories m JOIN memories t ON t.id = n.other_id WHERE m.id = n.memory_id";

/** Columns of an item as a bound row: see `Dialect.rowsOf`. */
export const ITEM_COLUMNS = { kind: "text", memory_id: "bigint", other_id: "bigint" } as const;

const sqlOf = statements((d) => ({
  dropDecided: `DELETE FROM inbox_notes AS n WHERE (${d.isOneOf("n.memory_id")} OR ${d.isOneOf("n.other_id")})
    AND NOT EXISTS (SELECT 1 FROM ${OF_ITEM} AND ${STILL_WAITS})`,
}));

/** SELECT of the bound items that still wait, by their columns. */
export const stillWaiting = statements(
  (d) => `SELECT n.kind, n.memory_id, n.other_id FROM ${d.rowsOf(ITEM_COLUMNS, "n")}
    WHERE EXISTS (SELECT 1 FROM ${OF_ITEM} AND ${STILL_WAITS})`,
);

/** Removes the notes on items of these memories that are decided. */
export const dropDecided = (connection: Statements, ids: readonly number[]): void =>
  connection.later(sqlOf(connection.dialect).dropDecided, ids, ids);
