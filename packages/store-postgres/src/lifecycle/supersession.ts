import {
  dot,
  isOlder,
  isProtected,
  type Layer,
  type Memory,
  MOST_PEERS,
  type Plan,
  type Relation,
  relationOf,
  stateOf,
  tellsTextsApart,
  uniteTags,
} from "@chest/core";
import { toDate } from "@chest/store/database/rows";
import { link } from "@chest/store/memories/versions";
import type { Reading } from "../database/connection.ts";
import { findIdentity, readIdentities } from "../embedding/identities.ts";
import { noteChange, opOf } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

// Each of them is held against up to two hundred others.
const MOST_AT_ONCE = 1000;

interface Pair {
  readonly olderId: number;
  readonly newerId: number;
  readonly relation: Relation;
  readonly cosine: number;
  /** Content hashes of both at the time of the comparison. */
  readonly hashes: readonly [older: string, newer: string];
}

interface Waiting {
  readonly id: number;
  readonly space: string;
  readonly entity_id: number;
  readonly layer: Layer;
  readonly is_live: boolean;
}

interface Peer {
  readonly id: number;
  readonly layer: Layer;
  readonly importance: number;
  readonly contentHash: string;
  readonly createdAt: Date;
  readonly vector: Float32Array;
}

interface PeerRow {
  readonly id: number;
  readonly layer: Layer;
  readonly importance: number;
  readonly content_hash: string;
  readonly created_at: number;
  readonly vector: readonly number[];
}

const OF_PLACE = `SELECT m.id, m.layer, m.importance, m.content_hash, m.created_at, v.vector::real[] AS vector
  FROM memories m JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
  WHERE m.entity_id = ? AND m.archived_at IS NULL AND m.conversation_id IS NULL`;
const NEWEST = `${OF_PLACE} AND m.space = ? AND m.layer = ? ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_PEERS}`;
const SOME = `${OF_PLACE} AND m.id = ANY (?)`;

/** Relations of each memory with a new vector to its neighbours; compared one by one, so that the same store gives the same plan. */
async function readRelations(connection: Reading, where: Where, least: number) {
  const { active } = await readIdentities(connection);
  const identityId = (await findIdentity(connection, active)) ?? -1;
  const minCosine = tellsTextsApart(active) ? least : Number.POSITIVE_INFINITY;
  const { sql, values } = inPlace(where);
  const waiting = await connection.all<Waiting>(
    `SELECT m.id, m.space, m.entity_id, m.layer, m.archived_at IS NULL AND m.conversation_id IS NULL AS is_live
     FROM vectors_uncompared u JOIN memories m ON m.id = u.memory_id
     WHERE u.identity_id = ? AND ${sql} ORDER BY m.entity_id, m.space, m.layer, m.id LIMIT ${MOST_AT_ONCE}`,
    identityId,
    ...values,
  );
  const without = new Set(where.without);
  const found: (Pair & { readonly newer: Peer })[] = [];
  const due = waiting.filter(({ id, is_live }) => is_live && !without.has(id));
  for (const here of Map.groupBy(due, placeOf).values()) {
    const { entity_id: entityId, space, layer } = here[0] as Waiting;
    const peers = (await connection.all<PeerRow>(NEWEST, identityId, entityId, space, layer)).map(toPeer);
    const among = new Map(peers.map((peer) => [peer.id, peer]));
    const others = here.map(({ id }) => id).filter((id) => !among.has(id));
    const older =
      others.length === 0 ? [] : (await connection.all<PeerRow>(SOME, identityId, entityId, others)).map(toPeer);
    const beside = new Map(older.map((peer) => [peer.id, peer]));
    const done = new Set<number>();
    for (const { id } of here) {
      const own = among.get(id) ?? beside.get(id);
      // Its words have changed since: the new ones' vector will come.
      if (!own) continue;
      for (const peer of peers) {
        // Two that are each other's peers are held against each other once.
        if (peer.id === id || without.has(peer.id) || (among.has(id) && done.has(peer.id))) continue;
        const [first, second] = isOlder(own, peer) ? [own, peer] : [peer, own];
        const pair = await pairOf(connection, first, second, minCosine);
        if (pair) found.push({ ...pair, newer: second });
      }
      done.add(id);
    }
  }
  return {
    scanned: waiting.length,
    identityId,
    compared: waiting.map(({ id }) => id),
    pairs: resolved(found),
    hasMore: waiting.length === MOST_AT_ONCE,
  };
}

const placeOf = ({ entity_id, space, layer }: Waiting): string => `${entity_id}\n${space}\n${layer}`;

async function pairOf(connection: Reading, older: Peer, newer: Peer, minCosine: number): Promise<Pair | undefined> {
  const cosine = dot(older.vector, newer.vector);
  // Most are far apart, and then nothing is read of them.
  if (cosine < 0.9) return undefined;
  const rows = await connection.all<{ id: number; content: string }>(
    "SELECT id, content FROM memories WHERE id = ANY (?)",
    [older.id, newer.id],
  );
  const content = (id: number) => rows.find((row) => row.id === id)?.content ?? "";
  const relation = relationOf(
    { ...older, content: content(older.id) },
    { ...newer, content: content(newer.id) },
    cosine,
    minCosine,
  );
  if (!relation || (await isSettled(connection, older.id, newer.id, relation))) return undefined;
  return { olderId: older.id, newerId: newer.id, relation, cosine, hashes: [older.contentHash, newer.contentHash] };
}

/** A member has settled what these two are to each other, or it is noted already. */
const isSettled = async (connection: Reading, a: number, b: number, relation: Relation): Promise<boolean> =>
  (await connection.get(
    `SELECT 1 FROM memory_links WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))
       AND (type = ? OR (type IN ('contradicts', 'related_to') AND origin = 'manual')) LIMIT 1`,
    a,
    b,
    b,
    a,
    relation,
  )) !== undefined;

/** The newest first, so that of several only it stays; what has gone by then neither goes again nor takes a place. */
function resolved(pairs: readonly (Pair & { readonly newer: Peer })[]): Pair[] {
  const gone = new Set<number>();
  return pairs
    .toSorted((a, b) => (isOlder(a.newer, b.newer) ? 1 : isOlder(b.newer, a.newer) ? -1 : b.cosine - a.cosine))
    .flatMap(({ newer: _, ...pair }) => {
      if (gone.has(pair.olderId) || gone.has(pair.newerId)) return [];
      if (pair.relation === "supersedes") gone.add(pair.olderId);
      return [pair];
    });
}

const toPeer = (row: PeerRow): Peer => ({
  id: row.id,
  layer: row.layer,
  importance: row.importance,
  contentHash: row.content_hash,
  createdAt: toDate(row.created_at),
  vector: Float32Array.from(row.vector),
});

/** Id of the store's active identity; the one that stands for none matches no row. */
export const activeId = async (connection: Reading): Promise<number> =>
  (await findIdentity(connection, (await readIdentities(connection)).active)) ?? -1;

export async function supersessionPlan(sweeper: Sweeper, where: Where, minCosine: number): Promise<Plan> {
  const { scanned, identityId, compared, pairs, hasMore } = await readRelations(sweeper.reader, where, minCosine);
  const archives = pairs.flatMap(({ relation, olderId }) => (relation === "supersedes" ? [olderId] : []));
  const contradictions = pairs.filter(({ relation }) => relation === "contradicts").length;
  return {
    scanned,
    due: archives.length,
    archives,
    hasMore,
    ...(contradictions > 0 ? { note: `${contradictions} contradict each other and stay, linked` } : {}),
    async apply({ signal, runId }) {
      const op = opOf("supersession", runId);
      const outcomes = await inSlices(sweeper, pairs, { op, signal }, async (slice, pair) => {
        if (!(await relate(slice, pair))) return undefined;
        noteChange(slice, "supersession", runId, pair.olderId);
        return pair.olderId;
      });
      const archived = outcomes.filter((id) => id !== undefined);
      if (signal.aborted) return { changed: archived.length, archived, created: [] };
      await inSlices(sweeper, compared, { op, signal }, async ({ tx }, id) => {
        tx.connection.later("DELETE FROM vectors_uncompared WHERE identity_id = ? AND memory_id = ?", identityId, id);
      });
      return { changed: archived.length, archived, created: [] };
    },
  };
}

/** True when the older one went out of sight. */
async function relate(slice: Slice, { olderId, newerId, relation, cosine, hashes }: Pair): Promise<boolean> {
  const { tx, memories } = slice;
  const both = await memories.byIds([olderId, newerId]);
  const [older, newer] = [olderId, newerId].map((id) => both.find((memory) => memory.id === id));
  if (!older || !newer || stateOf(older) !== "live" || stateOf(newer) !== "live" || isProtected(older)) return false;
  if (older.contentHash !== hashes[0] || newer.contentHash !== hashes[1]) return false;
  const note = `cosine ${cosine.toFixed(3)}`;
  if (relation !== "supersedes") {
    link(tx, { from: newerId, to: olderId, type: relation, origin: "auto", note });
    return false;
  }
  await memories.supersede(older, newerId);
  tx.connection.later(
    "UPDATE memory_links SET origin = 'auto', note = ? WHERE from_id = ? AND to_id = ? AND type = 'supersedes'",
    note,
    newerId,
    olderId,
  );
  tx.connection.later("UPDATE memories SET supersession_confidence = ? WHERE id = ?", cosine, olderId);
  await inherit(slice, older, newer);
  return true;
}

/** Passes the older memory's tags and uses on to the newer one. */
async function inherit({ tx, memories }: Slice, older: Memory, newer: Memory): Promise<void> {
  const tags = uniteTags(newer.tags, older.tags).kept;
  const importance = Math.max(newer.importance, older.importance);
  if (tags.length !== newer.tags.length || importance !== newer.importance)
    await memories.revise(newer, { tags, importance });
  await memories.takeFiles(newer, [older]);
  tx.connection.later(INHERIT, older.id, newer.id);
}

// Evidence is a list, as JSON.
const INHERIT = `UPDATE memories AS n SET confidence = greatest(n.confidence, o.confidence),
    evidence = CASE WHEN o.evidence IS NULL THEN n.evidence WHEN n.evidence IS NULL THEN o.evidence ELSE (
      SELECT json_agg(value ORDER BY value)::text FROM (
        SELECT value FROM json_array_elements_text(n.evidence::json) AS a (value)
        UNION SELECT value FROM json_array_elements_text(o.evidence::json) AS b (value)) both_of_them) END
  FROM memories AS o WHERE o.id = ? AND n.id = ?`;
