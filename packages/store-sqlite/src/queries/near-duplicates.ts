import { type NearPair, nearPairs, type Space } from "@chest/core";
import type { Connection } from "../database/connection.ts";

// What is compared with each other at one time: the newest.
const MOST_ROWS = 5000;

const NEWEST = `SELECT m.id, m.space, m.content,
    (SELECT group_concat(tag, char(10)) FROM memory_tags t WHERE t.memory_id = m.id) AS tags
  FROM memories m WHERE m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?))
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_ROWS}`;

/** Pairs of live memories of these spaces that say much the same; walks many rows, so it is for a thread. */
export function nearDuplicates(connection: Connection, spaces: readonly Space[], tagLikeness: number): NearPair[] {
  const rows = connection.all<{ id: number; space: Space; content: string; tags: string | null }>(
    NEWEST,
    JSON.stringify(spaces),
  );
  const pairs = nearPairs(
    rows.map(({ tags, ...row }) => ({ ...row, tags: tags?.split("\n") ?? [] })),
    tagLikeness,
  );
  return withoutSettled(connection, pairs);
}

const SETTLED = `SELECT from_id, to_id FROM memory_links
  WHERE from_id IN (SELECT value FROM json_each(?)) AND type = 'related_to' AND origin = 'manual'`;

function withoutSettled(connection: Connection, pairs: readonly NearPair[]): NearPair[] {
  const ids = new Set(pairs.flatMap((pair) => pair.ids));
  const links = connection.all<{ from_id: number; to_id: number }>(SETTLED, JSON.stringify([...ids]));
  const settled = new Set(links.flatMap(({ from_id, to_id }) => [`${from_id} ${to_id}`, `${to_id} ${from_id}`]));
  return pairs.filter(({ ids: [one, other] }) => !settled.has(`${one} ${other}`));
}
