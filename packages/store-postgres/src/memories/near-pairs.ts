import { groupsIn, type Space, withoutSettled } from "@chest/core";
import { isOfJournal } from "@chest/store/database/condition";
import type { PairsFound, PairsQuery } from "@chest/store/memories/conflicts";
import type { Reading } from "../database/connection.ts";
import { nearPairsOf } from "./near-pairs-thread.ts";

// Most memories that are compared with each other at one time: the newest.
const MOST_COMPARED = 5000;
const COMPARED = `SELECT m.id, m.space, m.entity_id AS entity, m.content,
    ARRAY(SELECT tag FROM memory_tags t WHERE t.memory_id = m.id ORDER BY tag) AS tags
  FROM memories m WHERE m.archived_at IS NULL AND m.space = ANY (?) AND NOT ${isOfJournal("m")}
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_COMPARED}`;

const SETTLED = `SELECT from_id, to_id FROM memory_links
  WHERE from_id = ANY (?) AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;

interface ComparedRow {
  readonly id: number;
  readonly space: Space;
  readonly entity: number;
  readonly content: string;
  readonly tags: readonly string[];
}

/**
 * Pairs of live memories that say much the same, without those that contradict each other or were settled as two.
 * @param search asks what goes over many rows, and refuses where that takes too long
 */
export async function nearPairs(
  connection: Reading,
  search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>,
  { spaces, tagLikeness, page: { limit, offset } }: PairsQuery,
): Promise<PairsFound> {
  const rows = await search((searcher) => searcher.all<ComparedRow>(COMPARED, spaces));
  const found = await nearPairsOf(rows, tagLikeness);
  const ids = [...new Set(found.flatMap((pair) => pair.ids))];
  const links = await connection.all<{ from_id: number; to_id: number }>(SETTLED, ids);
  const pairs = withoutSettled(
    found,
    links.map(({ from_id, to_id }) => [from_id, to_id]),
  );
  return { total: pairs.length, groups: groupsIn(pairs), pairs: pairs.slice(offset, offset + limit) };
}
