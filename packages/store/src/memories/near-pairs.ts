import type { Space } from "@chest/core/access";
import { type InboxKind, inboxKey } from "@chest/core/ports";
import { groupsIn, type NearPair, withoutSettled } from "@chest/core/statements";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import { ITEM_COLUMNS, isInPart } from "../database/inbox-items.ts";
import type { NearPairPage, PairsQuery } from "./conflicts.ts";

// Most memories to compare at a time, the newest.
const MOST_COMPARED = 5000;

const sqlOf = statements((d) => ({
  compared: `SELECT m.id, m.space, m.entity_id AS entity, m.content, ${d.listOf("tag", "memory_tags t WHERE t.memory_id = m.id")} AS tags
    FROM memories m WHERE m.archived_at IS NULL AND ${d.isOneOf("m.space")} AND NOT ${isOfJournal("m")}
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_COMPARED}`,
  settled: `SELECT from_id, to_id FROM memory_links
    WHERE ${d.isOneOf("from_id")} AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`,
}));

/** Live memories of some spaces to compare, newest first. */
export async function comparedTexts(connection: Reading, spaces: readonly Space[]) {
  const rows = await connection.all<{
    id: number;
    space: Space;
    entity: number;
    content: string;
    tags: readonly string[] | string;
  }>(sqlOf(connection.dialect).compared, spaces);
  return rows.map(({ tags, ...row }) => ({ ...row, tags: listIn(tags) }));
}

/** Near duplicates without contradicting and settled pairs. */
export async function unsettledPairs(connection: Reading, found: readonly NearPair[]): Promise<readonly NearPair[]> {
  const ids = [...new Set(found.flatMap((pair) => pair.ids))];
  const links = await connection.all<{ from_id: number; to_id: number }>(sqlOf(connection.dialect).settled, ids);
  return withoutSettled(
    found,
    links.map(({ from_id, to_id }) => [from_id, to_id]),
  );
}

/** Page of unsettled pairs, of the part of the inbox that is asked for. */
export async function pageOfPairs(
  connection: Reading,
  found: readonly NearPair[],
  { part, page: { limit, offset } }: Pick<PairsQuery, "page" | "part">,
): Promise<NearPairPage> {
  const pairs = part === undefined || found.length === 0 ? found : await pairsInPart(connection, found, part);
  return { total: pairs.length, groups: groupsIn(pairs), pairs: pairs.slice(offset, offset + limit) };
}

const KIND: InboxKind = "duplicates";

async function pairsInPart(connection: Reading, found: readonly NearPair[], part: NonNullable<PairsQuery["part"]>) {
  const { sql, values } = isInPart(KIND, part, ["i.memory_id", "i.other_id"]);
  const keyOf = ({ ids: [memoryId, againstId] }: NearPair) => inboxKey({ memoryId, againstId });
  const rows = JSON.stringify(found.map((pair) => [KIND, ...keyOf(pair).split(" ").map(Number)]));
  const kept = await connection.all<{ memory_id: number; other_id: number }>(
    `SELECT i.memory_id, i.other_id FROM ${connection.dialect.rowsOf(ITEM_COLUMNS, "i")} WHERE ${sql}`,
    rows,
    ...values,
  );
  const keys = new Set(kept.map((row) => inboxKey({ memoryId: row.memory_id, againstId: row.other_id })));
  return found.filter((pair) => keys.has(keyOf(pair)));
}
