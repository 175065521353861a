import type { Space } from "@chest/core/access";
import { dot, tellsTextsApart } from "@chest/core/embedding";
import { isOlder, MOST_PEERS, type Relation, relationOf } from "@chest/core/lifecycle";
import { isProtected, type Layer, type Memory, stateOf, uniteTags } from "@chest/core/memory";
import type { Plan } from "@chest/core/ports";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { toDate } from "../database/rows.ts";
import { findIdentity, readIdentities } from "../embedding/identities.ts";
import { vectorIn } from "../embedding/vectors.ts";
import { link } from "../memories/versions.ts";
import { noteChange, opOf } from "./archiving.ts";
import { inPlace, type Where } from "./sweep-conditions.ts";
import { inSlices, type Slice, type Sweeper } from "./sweeper.ts";

// Each is compared with up to two hundred others.
const MOST_AT_ONCE = 1000;
// Below this cosine no relation applies, so nothing is read.
const NEAR = 0.9;

interface SupersedingPair {
  readonly olderId: number;
  readonly newerId: number;
  readonly relation: Relation;
  readonly cosine: number;
  /** Content hashes of both at the time of the comparison. */
  readonly hashes: readonly [older: string, newer: string];
}

interface Relations {
  readonly scanned: number;
  readonly identityId: number;
  readonly compared: readonly number[];
  readonly pairs: readonly SupersedingPair[];
  readonly hasMore: boolean;
}

interface UncomparedRow {
  readonly id: number;
  readonly space: Space;
  readonly entity_id: number;
  readonly layer: Layer;
  readonly is_live: number | boolean;
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
  readonly space: Space;
  readonly layer: Layer;
  readonly importance: number;
  readonly content_hash: string;
  readonly created_at: number;
}

const PAGE_ROWS = 1000;

const sqlOf = statements((d) => {
  const ofEntity = `SELECT m.id, m.space, m.layer, m.importance, m.content_hash, m.created_at
    FROM memories m JOIN vectors v ON v.memory_id = m.id AND v.identity_id = ? AND v.content_hash = m.content_hash
    WHERE m.entity_id = ? AND m.archived_at IS NULL AND m.conversation_id IS NULL`;
  return {
    newest: `${ofEntity} AND (m.created_at, m.id) < (?, ?) ORDER BY m.created_at DESC, m.id DESC LIMIT ${PAGE_ROWS}`,
    some: `${ofEntity} AND ${d.isOneOf("m.id")}`,
    vectors: `SELECT memory_id AS id, ${d.vector("vector")} AS vector FROM vectors
      WHERE identity_id = ? AND ${d.isOneOf("memory_id")}`,
    contents: `SELECT id, content FROM memories WHERE ${d.isOneOf("id")}`,
  };
});

/**
 * Compares each memory that has a new vector with its neighbours, in a fixed order, so that the same store gives the
 * same plan.
 */
export async function readRelations(
  connection: Reading,
  where: Where & { readonly minCosine: number },
): Promise<Relations> {
  const { active } = await readIdentities(connection);
  const identityId = (await findIdentity(connection, active)) ?? -1;
  const minCosine = tellsTextsApart(active) ? where.minCosine : Number.POSITIVE_INFINITY;
  const { sql, values } = inPlace(connection.dialect, where);
  const waiting = await connection.all<UncomparedRow>(
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
    const places = Map.groupBy(ofEntity, placeOf);
    const newest = await newestIn(connection, identityId, entityId, new Set(places.keys()));
    for (const [place, here] of places) {
      const near = newest.get(place) ?? [];
      const known = new Set(near.map(({ id }) => id));
      const others = here.map(({ id }) => id).filter((id) => !known.has(id));
      const older =
        others.length === 0
          ? []
          : await connection.all<PeerRow>(sqlOf(connection.dialect).some, identityId, entityId, others);
      const all = await peersOf(connection, identityId, [...near, ...older]);
      const peers = near.flatMap(({ id }) => all.get(id) ?? []);
      const done = new Set<number>();
      for (const { id } of here) {
        const own = all.get(id);
        // The text has changed: its new vector will follow.
        if (!own) continue;
        for (const peer of peers) {
          // A pair is compared only once.
          if (peer.id === id || without.has(peer.id) || (known.has(id) && done.has(peer.id))) continue;
          const cosine = dot(own.vector, peer.vector);
          if (cosine < NEAR) continue;
          const [first, second] = isOlder(own, peer) ? [own, peer] : [peer, own];
          const pair = await pairOf(connection, first, second, cosine, minCosine);
          if (pair) found.push({ ...pair, newer: second });
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

/** The newest memories of an entity by place, in one scan that ends when every place is full. */
async function newestIn(
  connection: Reading,
  identityId: number,
  entityId: number,
  places: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly PeerRow[]>> {
  const peers = new Map([...places].map((place): [string, PeerRow[]] => [place, []]));
  let full = 0;
  let last: Pick<PeerRow, "created_at" | "id"> = { created_at: Number.MAX_SAFE_INTEGER, id: 0 };
  for (;;) {
    const { newest } = sqlOf(connection.dialect);
    const rows = await connection.all<PeerRow>(newest, identityId, entityId, last.created_at, last.id);
    for (const row of rows) {
      const here = peers.get(placeOf(row));
      if (!here || here.length === MOST_PEERS) continue;
      here.push(row);
      if (here.length === MOST_PEERS && ++full === places.size) return peers;
    }
    const lastRow = rows.at(-1);
    if (!lastRow || rows.length < PAGE_ROWS) return peers;
    last = lastRow;
  }
}

async function peersOf(
  connection: Reading,
  identityId: number,
  rows: readonly PeerRow[],
): Promise<ReadonlyMap<number, Peer>> {
  const ids = rows.map(({ id }) => id);
  const { vectors } = sqlOf(connection.dialect);
  const found = await connection.all<{ id: number; vector: Uint8Array | number[] }>(vectors, identityId, ids);
  const byId = new Map(found.map(({ id, vector }) => [id, vector]));
  return new Map(
    rows.map(({ id, layer, importance, content_hash, created_at }) => [
      id,
      {
        id,
        layer,
        importance,
        contentHash: content_hash,
        createdAt: toDate(created_at),
        vector: vectorIn(byId.get(id) ?? []),
      },
    ]),
  );
}

async function pairOf(
  connection: Reading,
  older: Peer,
  newer: Peer,
  cosine: number,
  minCosine: number,
): Promise<SupersedingPair | undefined> {
  const ids = [older.id, newer.id];
  const rows = await connection.all<{ id: number; content: string }>(sqlOf(connection.dialect).contents, ids);
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

/** Whether a member has settled this pair, or the relation is recorded already. */
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

/** Keeps only the newest of several successors; an archived memory neither goes again nor takes a slot. */
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

export async function supersessionPlan(sweeper: Sweeper, where: Where, minCosine: number): Promise<Plan> {
  const asked = { ...where, minCosine };
  const { scanned, identityId, compared, pairs, hasMore } = await sweeper.ask("supersession", asked);
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
      await inSlices(sweeper, compared, { op, signal }, ({ tx }, id) => {
        tx.connection.later("DELETE FROM vectors_uncompared WHERE identity_id = ? AND memory_id = ?", identityId, id);
      });
      return { changed: archived.length, archived, created: [] };
    },
  };
}

/** True if the older memory was archived. */
async function relate(slice: Slice, { olderId, newerId, relation, cosine, hashes }: SupersedingPair): Promise<boolean> {
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

/** Copies tags, files, evidence and the higher confidence of the older memory to the newer one. */
async function inherit({ tx, memories }: Slice, older: Memory, newer: Memory): Promise<void> {
  const tags = uniteTags(newer.tags, older.tags).kept;
  const importance = Math.max(newer.importance, older.importance);
  if (tags.length !== newer.tags.length || importance !== newer.importance)
    await memories.revise(newer, { tags, importance });
  await memories.takeFiles(newer, [older]);
  const evidence = [...new Set([...newer.evidence, ...older.evidence])];
  tx.connection.later(
    "UPDATE memories SET confidence = ?, evidence = ? WHERE id = ?",
    Math.max(newer.confidence, older.confidence),
    evidence.length === 0 ? null : JSON.stringify(evidence),
    newer.id,
  );
}
