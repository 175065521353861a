import { type NearPair, nearPairs, type Space, withoutSettled } from "@chest/core";
import { isOfJournal } from "@chest/store/database/condition";
import type { Connection } from "../database/connection.ts";

// Most memories that are compared with each other at one time: the newest.
const MOST_ROWS = 5000;

const NEWEST = `SELECT m.id, m.space, m.entity_id AS entity, m.content,
    (SELECT group_concat(tag, char(10)) FROM memory_tags t WHERE t.memory_id = m.id) AS tags
  FROM memories m WHERE m.archived_at IS NULL AND m.space IN (SELECT value FROM json_each(?)) AND NOT ${isOfJournal("m")}
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_ROWS}`;

const SETTLED = `SELECT from_id, to_id FROM memory_links
  WHERE from_id IN (SELECT value FROM json_each(?)) AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;

interface LastPairs {
  /** State of the database in which it was found. */
  readonly version: number;
  readonly asked: string;
  readonly pairs: readonly NearPair[];
}

// An inbox is asked for far more often than something is written.
const lastFound = new WeakMap<Connection, LastPairs>();

/**
 * Pairs of live memories of these spaces that say much the same, without those that contradict each other or were settled as two; walks many
 * rows where something was written since the last time, so it is for a thread that only reads.
 */
export function nearDuplicates(
  connection: Connection,
  spaces: readonly Space[],
  tagLikeness: number,
): readonly NearPair[] {
  const version = connection.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  const asked = JSON.stringify([spaces, tagLikeness]);
  const known = lastFound.get(connection);
  if (known?.version === version && known.asked === asked) return known.pairs;
  const rows = connection.all<{ id: number; space: Space; entity: number; content: string; tags: string | null }>(
    NEWEST,
    JSON.stringify(spaces),
  );
  const found = nearPairs(
    rows.map(({ tags, ...row }) => ({ ...row, tags: tags?.split("\n") ?? [] })),
    tagLikeness,
  );
  const newer = JSON.stringify([...new Set(found.flatMap(({ ids }) => ids))]);
  const links = connection.all<{ from_id: number; to_id: number }>(SETTLED, newer);
  const pairs = withoutSettled(
    found,
    links.map(({ from_id, to_id }) => [from_id, to_id]),
  );
  lastFound.set(connection, { version, asked, pairs });
  return pairs;
}
