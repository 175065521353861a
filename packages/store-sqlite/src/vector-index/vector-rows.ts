import type { Space } from "@chest/core/access";
import type { Memory } from "@chest/core/memory";
import type { Connection } from "../database/connection.ts";
import { floatsOf } from "./bits.ts";
import type { Entry } from "./tables.ts";

/** A vector as it is stored, with the identity it is of. */
export interface StoredVector extends Entry {
  readonly identityId: number;
}

interface VectorRow {
  readonly id: number;
  readonly identity_id: number;
  readonly vector: Buffer;
  readonly space: Space;
  readonly layer: Memory["layer"];
  readonly entity_id: number;
  readonly is_archived: number;
  readonly is_superseded: number;
}

// Skips vectors of an older text.
const SELECT = `SELECT m.id, v.identity_id, v.vector, m.space, m.layer, m.entity_id,
    m.archived_at IS NOT NULL AS is_archived, m.superseded_by_id IS NOT NULL AS is_superseded
  FROM vectors v CROSS JOIN memories m ON m.id = v.memory_id AND m.content_hash = v.content_hash`;

/** All stored vectors in batches, each with its own query, so that no long read transaction keeps the log. */
export function* allVectors(connection: Connection, pieceRows: number): Generator<StoredVector[]> {
  let last = { id: 0, identity_id: 0 };
  for (;;) {
    const rows = connection.all<VectorRow>(
      `${SELECT} WHERE (v.memory_id, v.identity_id) > (?, ?) ORDER BY v.memory_id, v.identity_id LIMIT ?`,
      last.id,
      last.identity_id,
      pieceRows,
    );
    yield rows.map(toVector);
    const next = rows.at(-1);
    if (!next || rows.length < pieceRows) return;
    last = next;
  }
}

/** Stored vectors of some memories; those without one are left out. */
export function vectorsOf(connection: Connection, ids: Iterable<number>): StoredVector[] {
  const rows = connection.all<VectorRow>(
    `${SELECT} WHERE v.memory_id IN (SELECT value FROM json_each(?))`,
    JSON.stringify([...ids]),
  );
  return rows.map(toVector);
}

/** Dimensions of a vector, by identity. */
export function dimensionsOf(connection: Connection): ReadonlyMap<number, number> {
  const rows = connection.all<{ id: number; dimensions: number }>("SELECT id, dimensions FROM embedding_identities");
  return new Map(rows.map(({ id, dimensions }) => [id, dimensions]));
}

export const holdsMoreThan = (connection: Connection, vectors: number): boolean =>
  connection.get("SELECT 1 FROM vectors LIMIT 1 OFFSET ?", vectors) !== undefined;

/** The highest id, an upper bound for the number of vectors. */
export const newestMemory = (connection: Connection): number =>
  connection.get<{ id: number | null }>("SELECT max(id) AS id FROM memories")?.id ?? 0;

/** Reads the newest and oldest number among the recorded changes of vectors; 0 if there are none. */
export function changeRange(connection: Connection): { readonly newest: number; readonly oldest: number } {
  const row = connection.get<{ newest: number | null; oldest: number | null }>(
    "SELECT (SELECT max(seq) FROM vector_changes) AS newest, (SELECT min(seq) FROM vector_changes) AS oldest",
  );
  return { newest: row?.newest ?? 0, oldest: row?.oldest ?? 0 };
}

/** Memories whose vectors or filter columns changed, each once. */
export const changedBetween = (connection: Connection, after: number, upTo: number): number[] =>
  connection.ids("SELECT DISTINCT memory_id FROM vector_changes WHERE seq > ? AND seq <= ?", after, upTo);

function toVector(row: VectorRow): StoredVector {
  return {
    id: row.id,
    identityId: row.identity_id,
    vector: floatsOf(row.vector),
    space: row.space,
    state: row.is_superseded === 1 ? "superseded" : row.is_archived === 1 ? "archived" : "live",
    layer: row.layer,
    entityId: row.entity_id,
  };
}
