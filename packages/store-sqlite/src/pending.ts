import type { EmbeddingIdentity, Memory, Space } from "@chest/core";
import { Connection } from "./connection.ts";
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from "./rows.ts";
import type { Statements } from "./transaction.ts";

/** The identity that a vector is missing of. Rows are marked by the active one's, and an index holds those. */
export interface Lacking {
  readonly identity: EmbeddingIdentity;
  readonly isActive: boolean;
}

/** How many rows in some spaces lack a vector. */
export interface PendingCounts {
  count(spaces: readonly Space[], lacking: Lacking): Promise<number>;
}

/** Counts in the connection at hand, each time. */
export function pendingCounts(connection: Statements): PendingCounts {
  return {
    async count(spaces, lacking) {
      const { sql, values } = without(lacking);
      const row = connection.get<{ n: number }>(
        `SELECT count(*) AS n FROM memories m WHERE m.space IN (SELECT value FROM json_each(?)) AND ${sql}`,
        JSON.stringify(spaces),
        ...values,
      );
      return row?.n ?? 0;
    },
  };
}

export interface PendingPage {
  readonly memories: readonly Memory[];
  readonly remaining: number;
}

/** The next rows above a cursor. One space at a time: in its part of the index they stand by id already. */
export async function pendingPage(
  connection: Statements,
  { lacking, cursor, limit, spaces }: PendingAsk,
): Promise<PendingPage> {
  const { sql, values } = without(lacking);
  const next = `SELECT m.id FROM memories m WHERE m.space = ? AND m.id > ? AND ${sql} ORDER BY m.id LIMIT ?`;
  const ids = spaces
    .flatMap((space) => connection.all<{ id: number }>(next, space, cursor, ...values, limit))
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .slice(0, limit);
  const rows = connection.all<MemoryRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memories m JOIN entities e ON e.id = m.entity_id
     WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id`,
    JSON.stringify(ids),
  );
  const remaining = await pendingCounts(connection).count(spaces, lacking);
  return { memories: rows.map(toMemory), remaining };
}

export interface PendingAsk {
  readonly lacking: Lacking;
  readonly cursor: number;
  readonly limit: number;
  readonly spaces: readonly Space[];
}

function without({ identity, isActive }: Lacking) {
  if (isActive) return { sql: "m.archived_at IS NULL AND m.embedding_status = 'pending'", values: [] };
  return { sql: `m.archived_at IS NULL AND NOT ${HAS_VECTOR}`, values: partsOf(identity) };
}

const HAS_VECTOR = `EXISTS (SELECT 1 FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id
  WHERE v.memory_id = m.id AND v.content_hash = m.content_hash
    AND i.model = ? AND i.revision = ? AND i.dimensions = ? AND i.pooling = ?)`;

const partsOf = ({ model, revision, dimensions, pooling }: EmbeddingIdentity) => [model, revision, dimensions, pooling];

const MARK_BUSY_MS = 30_000;

/** Marks rows anew where another identity than before is the active one. */
export function markPending(path: string, active: EmbeddingIdentity): void {
  const connection = new Connection(path, { busyTimeoutMs: MARK_BUSY_MS });
  const name = JSON.stringify(partsOf(active));
  const isMarked = () => connection.get("SELECT 1 FROM meta WHERE key = 'active_identity' AND value = ?", name);
  try {
    if (!isMarked()) connection.db.transaction(() => isMarked() || mark(connection, active, name)).immediate();
  } finally {
    connection.close();
  }
}

function mark(connection: Connection, active: EmbeddingIdentity, name: string): void {
  const parts = partsOf(active);
  connection.run(
    `UPDATE memories AS m SET embedding_status = iif(${HAS_VECTOR}, 'ok', 'pending')
     WHERE embedding_status <> iif(${HAS_VECTOR}, 'ok', 'pending')`,
    ...parts,
    ...parts,
  );
  connection.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('active_identity', ?)", name);
}
