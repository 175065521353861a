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
import type { Connections, Piped, Reading } from "../database/connection.ts";
import type { Writer } from "../database/write.ts";

/** Reads the embedding identities: another process may have changed them a moment ago. */
export const readIdentities = async (connection: Reading): Promise<Identities> => identitiesIn(await named(connection));

/** The identities among rows of `meta`. */
export function identitiesIn(rows: readonly Named[]): Identities {
  const { active, next } = partsIn(rows);
  if (!active) throw new Error("the store names no active embedding identity");
  return { active, next };
}

export interface Named {
  readonly key: string;
  readonly value: string;
}

const [ACTIVE, NEXT] = ["active_identity", "next_identity"] as const;
/** Rows of `meta` that name them, as a list for SQL. */
export const IDENTITY_KEYS = `'${ACTIVE}', '${NEXT}'`;

const named = (connection: Reading): Promise<Named[]> =>
  connection.all<Named>(`SELECT key, value FROM meta WHERE key IN (${IDENTITY_KEYS})`);

const kept = async (connection: Reading) => partsIn(await named(connection));

function partsIn(rows: readonly Named[]) {
  const read = (key: string) => {
    const row = rows.find((each) => each.key === key);
    return row && identityOf(row.value);
  };
  return { active: read(ACTIVE), next: read(NEXT) };
}

function identityOf(text: string): EmbeddingIdentity {
  const [model, revision, dimensions, pooling] = JSON.parse(text) as [string, string, number, string];
  return { model, revision, dimensions, pooling };
}

/** An identity `i` that the store goes by. */
export const IS_ACTIVE = `(i.model, i.revision, i.dimensions, i.pooling) =
  (SELECT parts ->> 0, parts ->> 1, (parts ->> 2)::int, parts ->> 3
   FROM (SELECT value::json AS parts FROM meta WHERE key = 'active_identity') a)`;

const BY_PARTS = "model = ? AND revision = ? AND dimensions = ? AND pooling = ?";

/** The row of an identity; undefined while the store has none of it. */
export async function findIdentity(connection: Reading, identity: EmbeddingIdentity): Promise<number | undefined> {
  const sql = `SELECT id FROM embedding_identities WHERE ${BY_PARTS}`;
  return (await connection.get<{ id: number }>(sql, ...identityParts(identity)))?.id;
}

/** The row of an identity, made on first use. */
export async function identityId(connection: Piped, identity: EmbeddingIdentity): Promise<number> {
  for (;;) {
    const known = await findIdentity(connection, identity);
    if (known !== undefined) return known;
    await connection.run(
      "INSERT INTO embedding_identities (model, revision, dimensions, pooling) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      ...identityParts(identity),
    );
  }
}

/** A memory `m` that has a vector of an identity for the words it has now. Takes the parts of the identity. */
export const HAS_VECTOR = `EXISTS (SELECT 1 FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id
  WHERE v.memory_id = m.id AND v.content_hash = m.content_hash
    AND i.model = ? AND i.revision = ? AND i.dimensions = ? AND i.pooling = ?)`;

/**
 * Gives a store that goes by no vectors yet the identity that is configured, and one of an earlier table this one's. A store
 * that has vectors of a model keeps its own.
 */
export function adoptIdentity(writer: Writer, given: EmbeddingIdentity | undefined): Promise<void> {
  return writer.write(async (tx) => {
    await lockIdentities(tx);
    const identity = await missingIn(tx, given);
    if (identity) await activate(tx, identity);
  });
}

/** The identity that the store is to go by from now on; undefined where it keeps its own. */
async function missingIn(tx: Piped, given: EmbeddingIdentity | undefined): Promise<EmbeddingIdentity | undefined> {
  const { active } = await kept(tx);
  if (active === undefined) return given ?? BUILTIN_IDENTITY;
  if (isOfEarlierTable(active)) return BUILTIN_IDENTITY;
  // An opener without a model, like an operator beside a running backend, leaves it as it is.
  if (given === undefined || isSameIdentity(active, given) || (await hasVectors(tx, active))) return undefined;
  return given;
}

/** One backend at a time changes which vectors the store goes by. */
const lockIdentities = (tx: Piped): Promise<unknown> => tx.run("SELECT pg_advisory_xact_lock(4, 0)");

async function hasVectors(connection: Reading, identity: EmbeddingIdentity): Promise<boolean> {
  const id = await findIdentity(connection, identity);
  if (id === undefined) return false;
  return (await connection.get("SELECT 1 FROM vectors WHERE identity_id = ? LIMIT 1", id)) !== undefined;
}

/** Memories are pending for it from now on. */
async function activate(tx: Piped, identity: EmbeddingIdentity): Promise<void> {
  const parts = identityParts(identity);
  const status = `CASE WHEN ${HAS_VECTOR} THEN 'ok' ELSE 'pending' END`;
  await tx.run(
    `UPDATE memories AS m SET embedding_status = ${status} WHERE embedding_status <> ${status}`,
    ...parts,
    ...parts,
  );
  await name(tx, ACTIVE, identity);
  const { next } = await kept(tx);
  if (next && isSameIdentity(next, identity)) await callOff(tx);
}

const callOff = (tx: Piped): Promise<unknown> => tx.run("DELETE FROM meta WHERE key = 'next_identity'");

const name = (tx: Piped, key: typeof ACTIVE | typeof NEXT, identity: EmbeddingIdentity) =>
  tx.run(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    JSON.stringify(identityParts(identity)),
  );

// Vectors that are not as long as their identity's.
const DROP_BROKEN = `DELETE FROM vectors v USING embedding_identities i
  WHERE i.id = v.identity_id AND vector_dims(v.vector::vector) <> i.dimensions RETURNING v.memory_id, v.identity_id`;

export function identityBook(reader: Connections, writer: Writer): IdentityBook {
  return {
    current: () => readIdentities(reader),
    shares: () => shares(reader),
    begin: (next) =>
      writer.write(async (tx) => {
        await lockIdentities(tx);
        const { active } = await readIdentities(tx);
        const activeId = await findIdentity(tx, active);
        const broken = await tx.all<{ memory_id: number; identity_id: number }>(DROP_BROKEN);
        const waiting = broken.filter(({ identity_id }) => identity_id === activeId).map(({ memory_id }) => memory_id);
        if (waiting.length > 0)
          await tx.run("UPDATE memories SET embedding_status = 'pending' WHERE id = ANY (?)", waiting);
        await callOff(tx);
        if (isSameIdentity(next, active)) return { active, next: undefined };
        if (await hasVectors(tx, active)) await name(tx, NEXT, next);
        else await activate(tx, next);
        return readIdentities(tx);
      }),
    settle: () =>
      writer.write(async (tx) => {
        await lockIdentities(tx);
        const { next } = await readIdentities(tx);
        if (!next || !(await isCovered(tx, next))) return false;
        await activate(tx, next);
        return true;
      }),
    async dropOthers() {
      let dropped = 0;
      // In pieces, so that no lock is held long.
      for (let piece = DROPPED_AT_ONCE; piece === DROPPED_AT_ONCE; dropped += piece)
        piece = await writer.write(dropSome);
      return dropped;
    },
  };
}

/** A store that is written to is never covered to the last row: what is missing is pending after the change. */
const MAY_LACK = 0.01;

async function isCovered(connection: Reading, identity: EmbeddingIdentity): Promise<boolean> {
  const row = await connection.get<{ live: number; done: number }>(
    `SELECT count(*) AS live, count(*) FILTER (WHERE ${HAS_VECTOR}) AS done FROM memories m WHERE m.archived_at IS NULL`,
    ...identityParts(identity),
  );
  return row !== undefined && row.live - row.done <= row.live * MAY_LACK;
}

const DROPPED_AT_ONCE = 500;

async function dropSome(tx: Piped): Promise<number> {
  const { active, next } = await readIdentities(tx);
  const stay = await Promise.all([active, ...(next ? [next] : [])].map((identity) => identityId(tx, identity)));
  const { changes } = await tx.run(
    `DELETE FROM vectors WHERE (memory_id, identity_id) IN (SELECT memory_id, identity_id FROM vectors
       WHERE identity_id <> ALL (?) LIMIT ${DROPPED_AT_ONCE})`,
    stay,
  );
  return changes;
}

async function shares(connection: Reading): Promise<IdentityShare[]> {
  const rows = await connection.all<EmbeddingIdentity & { readonly done: number }>(
    `SELECT i.model, i.revision, i.dimensions, i.pooling,
       (SELECT count(*) FROM vectors v JOIN memories m ON m.id = v.memory_id
        WHERE v.identity_id = i.id AND v.content_hash = m.content_hash AND m.archived_at IS NULL) AS done
     FROM embedding_identities i ORDER BY i.id`,
  );
  const stored = rows.map(({ done, ...identity }) => ({ identity, done }));
  const { active, next } = await readIdentities(connection);
  const named = [active, ...(next ? [next] : [])];
  const isNamed = (identity: EmbeddingIdentity) => named.some((each) => isSameIdentity(each, identity));
  return [
    ...named.map(
      (identity) => stored.find((share) => isSameIdentity(share.identity, identity)) ?? { identity, done: 0 },
    ),
    ...stored.filter(({ identity, done }) => done > 0 && !isNamed(identity)),
  ];
}
