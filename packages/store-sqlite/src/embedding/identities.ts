import {
  BUILTIN_IDENTITY,
  type EmbeddingIdentity,
  type Identities,
  type IdentityBook,
  type IdentityShare,
  identityParts,
  isOfEarlierTable,
  isSameIdentity,
} from "@chest/core";
import { Connection, type Reading, type Statements } from "../database/connection.ts";
import type { Writer } from "../database/write-queue.ts";

/** Reads the embedding identities, as this connection sees them: another process may have changed them a moment ago. */
export function readIdentities(connection: Reading): Identities {
  const { active, next } = kept(connection);
  if (!active) throw new Error("the store names no active embedding identity");
  return { active, next };
}

interface Named {
  readonly key: "active_identity" | "next_identity";
  readonly value: string;
}

function kept(connection: Reading): { active: EmbeddingIdentity | undefined; next: EmbeddingIdentity | undefined } {
  const rows = connection.all<Named>("SELECT key, value FROM meta WHERE key IN ('active_identity', 'next_identity')");
  const named = (key: Named["key"]) => {
    const row = rows.find((each) => each.key === key);
    return row && identityOf(row.value);
  };
  return { active: named("active_identity"), next: named("next_identity") };
}

const MOST_KEPT = 50;
const read = new Map<string, EmbeddingIdentity>();

function identityOf(text: string): EmbeddingIdentity {
  const known = read.get(text);
  if (known) return known;
  const [model, revision, dimensions, pooling] = JSON.parse(text) as [string, string, number, string];
  if (read.size >= MOST_KEPT) read.clear();
  const identity = { model, revision, dimensions, pooling };
  read.set(text, identity);
  return identity;
}

const BY_PARTS = "model = ? AND revision = ? AND dimensions = ? AND pooling = ? AND prefix = ''";

/** The row of an identity; undefined while the store has none of it. */
export function findIdentity(connection: Pick<Statements, "get">, identity: EmbeddingIdentity): number | undefined {
  const sql = `SELECT id FROM embedding_identities WHERE ${BY_PARTS}`;
  return connection.get<{ id: number }>(sql, ...identityParts(identity))?.id;
}

/** The row of an identity, made on first use. */
export function identityId(connection: Pick<Statements, "get" | "run">, identity: EmbeddingIdentity): number {
  const known = findIdentity(connection, identity);
  if (known !== undefined) return known;
  const sql =
    "INSERT INTO embedding_identities (model, revision, dimensions, pooling) VALUES (?, ?, ?, ?) RETURNING id";
  const row = connection.get<{ id: number }>(sql, ...identityParts(identity));
  if (!row) throw new Error("an insert returned no id");
  return row.id;
}

/** A memory `m` that has a vector of an identity for the words it has now. Takes the parts of the identity. */
export const HAS_VECTOR = `EXISTS (SELECT 1 FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id
  WHERE v.memory_id = m.id AND v.content_hash = m.content_hash
    AND i.model = ? AND i.revision = ? AND i.dimensions = ? AND i.pooling = ? AND i.prefix = '')`;

const OPENING_BUSY_MS = 30_000;

/**
 * Gives a store that goes by no vectors yet the identity that is configured, and one of an earlier table this one's. A store
 * that has vectors of a model keeps its own.
 */
export function adoptIdentity(path: string, given: EmbeddingIdentity | undefined): void {
  const connection = new Connection(path, { busyTimeoutMs: OPENING_BUSY_MS });
  const missing = () => missingIn(connection, given);
  const adopt = () => {
    const identity = missing();
    if (identity) activate(connection, identity);
  };
  try {
    if (missing()) connection.db.transaction(adopt).immediate();
  } finally {
    connection.close();
  }
}

/** The identity that the store is to go by from now on; undefined where it keeps its own. */
function missingIn(connection: Connection, given: EmbeddingIdentity | undefined): EmbeddingIdentity | undefined {
  const { active } = kept(connection);
  if (active === undefined) return given ?? BUILTIN_IDENTITY;
  if (isOfEarlierTable(active)) return BUILTIN_IDENTITY;
  // An opener without a model, like an operator beside a running backend, leaves it as it is.
  if (given === undefined || isSameIdentity(active, given) || hasVectors(connection, active)) return undefined;
  return given;
}

function hasVectors(connection: Pick<Statements, "get">, identity: EmbeddingIdentity): boolean {
  const id = findIdentity(connection, identity);
  return id !== undefined && connection.get("SELECT 1 FROM vectors WHERE identity_id = ? LIMIT 1", id) !== undefined;
}

/** Vectors of the wrong length for their identity. */
const BROKEN_VECTORS = `SELECT memory_id AS memory, identity_id AS identity FROM vectors
  JOIN embedding_identities AS i ON i.id = identity_id WHERE length(vector) <> 4 * i.dimensions`;

function dropVector(connection: Statements, memory: number, identity: number): void {
  const { changes } = connection.run(
    `DELETE FROM vectors WHERE memory_id = ? AND identity_id = ? AND length(vector) <>
       4 * (SELECT dimensions FROM embedding_identities WHERE id = identity_id)`,
    memory,
    identity,
  );
  if (changes === 0) return; // Another process has set it meanwhile.
  if (findIdentity(connection, readIdentities(connection).active) === identity)
    connection.run("UPDATE memories SET embedding_status = 'pending' WHERE id = ?", memory);
}

/** Memories are pending for it from now on. */
function activate(connection: Statements, identity: EmbeddingIdentity): void {
  const parts = identityParts(identity);
  connection.run(
    `UPDATE memories AS m SET embedding_status = iif(${HAS_VECTOR}, 'ok', 'pending')
     WHERE embedding_status <> iif(${HAS_VECTOR}, 'ok', 'pending')`,
    ...parts,
    ...parts,
  );
  name(connection, "active_identity", identity);
  const { next } = kept(connection);
  if (next && isSameIdentity(next, identity)) callOff(connection);
}

const callOff = (connection: Pick<Statements, "run">): void =>
  void connection.run("DELETE FROM meta WHERE key = 'next_identity'");

const name = (connection: Pick<Statements, "run">, key: Named["key"], identity: EmbeddingIdentity): void =>
  void connection.run(
    "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
    key,
    JSON.stringify(identityParts(identity)),
  );

export interface BookParts {
  readonly reader: Reading;
  readonly writing: Connection;
  readonly writer: Writer;
}

export function identityBook({ reader, writing, writer }: BookParts): IdentityBook {
  return {
    current: async () => readIdentities(reader),
    shares: async () => shares(reader),
    async begin(next) {
      // Looked for outside of the writer: that is a walk through all there are.
      const broken = reader.all<{ memory: number; identity: number }>(BROKEN_VECTORS);
      return writer.call(async () => {
        const { active } = readIdentities(writing);
        for (const { memory, identity } of broken) dropVector(writing, memory, identity);
        callOff(writing);
        if (isSameIdentity(next, active)) return { active, next: undefined };
        if (hasVectors(writing, active)) name(writing, "next_identity", next);
        else activate(writing, next);
        return readIdentities(writing);
      });
    },
    settle: () =>
      writer.call(async () => {
        const { next } = readIdentities(writing);
        if (!next || !isCovered(writing, next)) return false;
        activate(writing, next);
        return true;
      }),
    async dropOthers() {
      let dropped = 0;
      // In pieces, so that no call waits long.
      for (let piece = DROPPED_AT_ONCE; piece === DROPPED_AT_ONCE; dropped += piece) {
        piece = await writer.sweep(async () => dropSome(writing));
      }
      return dropped;
    },
  };
}

/** A store that is written to is never covered to the last row: what is missing is pending after the change. */
const MAY_LACK = 0.01;

function isCovered(connection: Reading, identity: EmbeddingIdentity): boolean {
  const row = connection.get<{ live: number; done: number }>(
    `SELECT count(*) AS live, coalesce(sum(${HAS_VECTOR}), 0) AS done FROM memories m WHERE m.archived_at IS NULL`,
    ...identityParts(identity),
  );
  return row !== undefined && row.live - row.done <= row.live * MAY_LACK;
}

const DROPPED_AT_ONCE = 500;

function dropSome(connection: Statements): number {
  const { active, next } = readIdentities(connection);
  const stay = [active, ...(next ? [next] : [])].map((identity) => identityId(connection, identity));
  return connection.run(
    `DELETE FROM vectors WHERE (memory_id, identity_id) IN (SELECT memory_id, identity_id FROM vectors
       WHERE identity_id NOT IN (SELECT value FROM json_each(?)) LIMIT ${DROPPED_AT_ONCE})`,
    JSON.stringify(stay),
  ).changes;
}

interface ShareRow {
  readonly model: string;
  readonly revision: string;
  readonly dimensions: number;
  readonly pooling: string;
  readonly done: number;
}

function shares(connection: Reading): IdentityShare[] {
  const rows = connection.all<ShareRow>(
    `SELECT i.model, i.revision, i.dimensions, i.pooling,
       (SELECT count(*) FROM vectors v JOIN memories m ON m.id = v.memory_id
        WHERE v.identity_id = i.id AND v.content_hash = m.content_hash AND m.archived_at IS NULL) AS done
     FROM embedding_identities i ORDER BY i.id`,
  );
  const stored = rows.map(({ done, ...identity }) => ({ identity, done }));
  const { active, next } = readIdentities(connection);
  const named = [active, ...(next ? [next] : [])];
  const isNamed = (identity: EmbeddingIdentity) => named.some((each) => isSameIdentity(each, identity));
  return [
    ...named.map(
      (identity) => stored.find((share) => isSameIdentity(share.identity, identity)) ?? { identity, done: 0 },
    ),
    ...stored.filter(({ identity, done }) => done > 0 && !isNamed(identity)),
  ];
}
