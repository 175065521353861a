import { groupsIn, type NearPair, type Space, withoutSettled } from "@chest/core";
import { isOfJournal } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { listIn, statements } from "../database/dialect.ts";
import type { PairsFound, PairsQuery } from "./conflicts.ts";

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

export const pageOfPairs = (pairs: readonly NearPair[], { limit, offset }: PairsQuery["page"]): PairsFound => ({
  total: pairs.length,
  groups: groupsIn(pairs),
  pairs: pairs.slice(offset, offset + limit),
});
