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
import type { Connection } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import { findIdentity, readIdentities } from "../embedding/identities.ts";
import { noteChange, opOf } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";
import { vectorOf } from "./vector-of.ts";

// Each of them is held against up to two hundred others.
const MOST_AT_ONCE = 1000;

export interface SupersedingPair {
  readonly olderId: number;
  readonly newerId: number;
  readonly relation: Relation;
  readonly cosine: number;
  /** Content hashes of both at the time of the comparison. */
  readonly hashes: readonly [older: string, newer: string];
}

export interface Relations {
  readonly scanned: number;
  readonly identityId: number;
  readonly compared: readonly number[];
  readonly pairs: readonly SupersedingPair[];
  readonly hasMore: boolean;
}

interface UncomparedRow {
  readonly id: number;
  readonly space: string;
  readonly entity_id: number;
  readonly layer: Layer;
  readonly is_live: number;
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
  readonly space: string;
  readonly layer: Layer;
  readonly importance: number;
  readonly content_hash: string;
  readonly created_at: number;
}

const OF_ENTITY = `SELECT m.id, m.space, m.layer, m.importance, m.content_hash, m.created_at
  FROM memories m JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
  WHERE m.entity_id = ? AND m.archived_at IS NULL AND m.conversation_id IS NULL`;
const NEWEST = `${OF_ENTITY} ORDER BY m.created_at DESC, m.id DESC`;
const ONE = `${OF_ENTITY} AND m.id = ?`;
const VECTOR = "SELECT vector FROM vectors WHERE identity_id = ? AND memory_id = ?";

/** Runs in the thread: compares each memory that has a new vector with its neighbours. */
export function readRelations(connection: Connection, where: Where & { readonly minCosine: number }): Relations {
  const identityId = activeId(connection);
  const minCosine = tellsTextsApart(readIdentities(connection).active) ? where.minCosine : Number.POSITIVE_INFINITY;
  const { sql, values } = inPlace(where);
  const waiting = connection.all<UncomparedRow>(
    `SELECT m.id, m.space, m.entity_id, m.layer, m.archived_at IS NULL AND m.conversation_id IS NULL AS is_live
     FROM vectors_uncompared u JOIN memories m ON m.id = u.memory_id
     WHERE u.identity_id = ? AND ${sql} ORDER BY m.entity_id, m.space, m.layer, m.id LIMIT ${MOST_AT_ONCE}`,
    identityId,
    ...values,
  );
  const without = new Set(where.without);
  const found: (SupersedingPair & { readonly newer: Peer })[] = [];
  const due = waiting.filter(({ id, is_live }) => is_live && !without.has(id));
  for (const [entityId, ofEntity] of Map.groupBy(due, ({ entity_id }) => entity_id)) {
    const read = (row: PeerRow): Peer => toPeer(row, connection, identityId);
    const peersOf = newestIn(connection.iterate<PeerRow>(NEWEST, identityId, entityId), new Set(ofEntity.map(placeOf)));
    for (const [place, here] of Map.groupBy(ofEntity, placeOf)) {
      const peers = (peersOf.get(place) ?? []).map(read);
      const done = new Set<number>();
      for (const { id } of here) {
        const among = peers.find((peer) => peer.id === id);
        const own = among ?? connection.all<PeerRow>(ONE, identityId, entityId, id).map(read)[0];
        // Its words have changed since: the new ones' vector will come.
        if (!own) continue;
        for (const peer of peers) {
          // Two that are each other's peers are held against each other once.
          if (peer.id === id || without.has(peer.id) || (among && done.has(peer.id))) continue;
          const [older, newer] = isOlder(own, peer) ? [own, peer] : [peer, own];
          const pair = pairOf(connection, older, newer, minCosine);
          if (pair) found.push({ ...pair, newer });
        }
        done.add(id);
      }
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

const placeOf = ({ space, layer }: Pick<PeerRow, "space" | "layer">): string => `${space}\n${layer}`;

/** The newest of an entity by where they lie, in one walk, which ends as soon as each of the places is full. */
function newestIn(newestFirst: Iterable<PeerRow>, places: ReadonlySet<string>): Map<string, PeerRow[]> {
  const peers = new Map<string, PeerRow[]>();
  let full = 0;
  for (const row of newestFirst) {
    const place = placeOf(row);
    if (!places.has(place)) continue;
    const here = peers.get(place) ?? [];
    if (here.length === MOST_PEERS) continue;
    peers.set(place, here);
    here.push(row);
    if (here.length === MOST_PEERS && ++full === places.size) break;
  }
  return peers;
}

function pairOf(connection: Connection, older: Peer, newer: Peer, minCosine: number): SupersedingPair | undefined {
  const cosine = dot(older.vector, newer.vector);
  // Most are far apart, and then nothing is read of them.
  if (cosine < 0.9) return undefined;
  const content = (id: number) =>
    connection.get<{ content: string }>("SELECT content FROM memories WHERE id = ?", id)?.content ?? "";
  const relation = relationOf(
    { ...older, content: content(older.id) },
    { ...newer, content: content(newer.id) },
    cosine,
    minCosine,
  );
  if (!relation || isSettled(connection, older.id, newer.id, relation)) return undefined;
  return { olderId: older.id, newerId: newer.id, relation, cosine, hashes: [older.contentHash, newer.contentHash] };
}

/** A member has settled what these two are to each other, or it is noted already. */
const isSettled = (connection: Connection, a: number, b: number, relation: Relation): boolean =>
  connection.get(
    `SELECT 1 FROM memory_links WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))
       AND (type = ? OR (type IN ('contradicts', 'related_to') AND origin = 'manual'))`,
    a,
    b,
    b,
    a,
    relation,
  ) !== undefined;

/** The newest first, so that of several only it stays; what has gone by then neither goes again nor takes a place. */
function resolved(pairs: readonly (SupersedingPair & { readonly newer: Peer })[]): SupersedingPair[] {
  const gone = new Set<number>();
  return pairs
    .toSorted((a, b) => (isOlder(a.newer, b.newer) ? 1 : isOlder(b.newer, a.newer) ? -1 : b.cosine - a.cosine))
    .flatMap(({ newer: _, ...pair }) => {
      if (gone.has(pair.olderId) || gone.has(pair.newerId)) return [];
      if (pair.relation === "supersedes") gone.add(pair.olderId);
      return [pair];
    });
}

const toPeer = (row: PeerRow, connection: Connection, identityId: number): Peer => ({
  id: row.id,
  layer: row.layer,
  importance: row.importance,
  contentHash: row.content_hash,
  createdAt: toDate(row.created_at),
  vector: vectorOf(connection.get<{ vector: Buffer }>(VECTOR, identityId, row.id)?.vector ?? Buffer.alloc(0)),
});

/** Id of the store's active identity; the one that stands for none matches no row. */
export const activeId = (connection: Connection): number =>
  findIdentity(connection, readIdentities(connection).active) ?? -1;

export async function supersessionPlan(sweeper: Sweeper, where: Where, minCosine: number): Promise<Plan> {
  const asked = { ...where, minCosine };
  const { scanned, identityId, compared, pairs, hasMore } = await sweeper.thread.ask("supersession", asked);
  const archives = pairs.flatMap(({ relation, olderId }) => (relation === "supersedes" ? [olderId] : []));
  const contradictions = pairs.filter(({ relation }) => relation === "contradicts").length;
  return {
    scanned,
    due: archives.length,
    archives,
    hasMore,
    ...(contradictions > 0 ? { note: `${contradictions} contradict each other and stay, linked` } : {}),
    async apply({ signal, runId }) {
      const archived: number[] = [];
      const op = opOf("supersession", runId);
      await inSlices(sweeper, pairs, { op, signal }, async (slice, pair) => {
        if (!(await relate(slice, pair))) return;
        noteChange(slice, "supersession", runId, pair.olderId);
        archived.push(pair.olderId);
      });
      if (signal.aborted) return { changed: archived.length, archived, created: [] };
      await inSlices(sweeper, compared, { op, signal }, ({ tx }, id) => {
        tx.sync.run("DELETE FROM vectors_uncompared WHERE identity_id = ? AND memory_id = ?", identityId, id);
      });
      return { changed: archived.length, archived, created: [] };
    },
  };
}

/** True when the older one went out of sight. */
async function relate(slice: Slice, { olderId, newerId, relation, cosine, hashes }: SupersedingPair): Promise<boolean> {
  const { tx, memories } = slice;
  const [older, newer] = [await memories.byId(olderId), await memories.byId(newerId)];
  if (!older || !newer || stateOf(older) !== "live" || stateOf(newer) !== "live" || isProtected(older)) return false;
  if (older.contentHash !== hashes[0] || newer.contentHash !== hashes[1]) return false;
  if (relation !== "supersedes") {
    tx.sync.run(
      "INSERT OR IGNORE INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at) VALUES (?, ?, ?, ?, 'auto', ?, ?)",
      newerId,
      olderId,
      relation,
      `cosine ${cosine.toFixed(3)}`,
      tx.caller.member.id,
      tx.nowS,
    );
    return false;
  }
  await memories.supersede(older, newerId);
  tx.sync.run(
    "UPDATE memory_links SET origin = 'auto', note = ? WHERE from_id = ? AND to_id = ? AND type = 'supersedes'",
    `cosine ${cosine.toFixed(3)}`,
    newerId,
    olderId,
  );
  tx.sync.run("UPDATE memories SET supersession_confidence = ? WHERE id = ?", cosine, olderId);
  await inherit(slice, older, newer);
  return true;
}

/** Passes the older memory's tags and uses on to the newer one. */
async function inherit({ tx, memories }: Slice, older: Memory, newer: Memory): Promise<void> {
  const tags = uniteTags(newer.tags, older.tags).kept;
  const importance = Math.max(newer.importance, older.importance);
  if (tags.length !== newer.tags.length || importance !== newer.importance)
    await memories.revise(newer, { tags, importance });
  tx.sync.run(
    "INSERT OR IGNORE INTO memory_files (memory_id, path, role) SELECT ?, path, role FROM memory_files WHERE memory_id = ?",
    newer.id,
    older.id,
  );
  tx.sync.run(INHERIT, older.id, newer.id);
}

// Evidence is a list, as JSON.
const INHERIT = `UPDATE memories AS n SET confidence = max(n.confidence, o.confidence),
    evidence = CASE WHEN o.evidence IS NULL THEN n.evidence WHEN n.evidence IS NULL THEN o.evidence ELSE (
      SELECT json_group_array(value) FROM (SELECT value FROM json_each(n.evidence) UNION SELECT value FROM json_each(o.evidence))) END
  FROM memories AS o WHERE o.id = ? AND n.id = ?`;
