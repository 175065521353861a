import { BUILTIN_IDENTITY, identityParts, isOfEarlierTable, isSameIdentity } from "@chest/core/embedding";
import type { EmbeddingIdentity, Identities, IdentityBook, IdentityShare } from "@chest/core/ports";
import { statusWithoutVector } from "../database/condition.ts";
import type { Reading, Statements } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import type { Transactions } from "../database/transact.ts";

const [ACTIVE, NEXT] = ["active_identity", "next_identity"] as const;
/** Keys in `meta` of the identities, as an SQL list. */
export const IDENTITY_KEYS = `'${ACTIVE}', '${NEXT}'`;

export interface MetaEntry {
  readonly key: string;
  readonly value: string;
}

/** Reads the embedding identities in the connection's view: another process may have changed them. */
export const readIdentities = async (connection: Reading): Promise<Identities> => identitiesIn(await named(connection));

/** The identities in rows of `meta`. */
export function identitiesIn(rows: readonly MetaEntry[]): Identities {
  const { active, next } = partsIn(rows);
  if (!active) throw new Error("the store names no active embedding identity");
  return { active, next };
}

const named = (connection: Reading): Promise<MetaEntry[]> =>
  connection.all<MetaEntry>(`SELECT key, value FROM meta WHERE key IN (${IDENTITY_KEYS})`);

const kept = async (connection: Reading) => partsIn(await named(connection));

function partsIn(rows: readonly MetaEntry[]) {
  const read = (key: string) => {
    const row = rows.find((each) => each.key === key);
    return row && identityOf(row.value);
  };
  return { active: read(ACTIVE), next: read(NEXT) };
}

const MOST_KEPT = 50;
const known = new Map<string, EmbeddingIdentity>();

function identityOf(text: string): EmbeddingIdentity {
  const read = known.get(text);
  if (read) return read;
  const [model, revision, dimensions, pooling] = JSON.parse(text) as [string, string, number, string];
  if (known.size >= MOST_KEPT) known.clear();
  const identity = { model, revision, dimensions, pooling };
  known.set(text, identity);
  return identity;
}

const FIND = "SELECT id FROM embedding_identities WHERE model = ? AND revision = ? AND dimensions = ? AND pooling = ?";

/** Row id of an identity; undefined if the store has none. */
export const findIdentity = async (connection: Reading, identity: EmbeddingIdentity): Promise<number | undefined> =>
  (await connection.get<{ id: number }>(FIND, ...identityParts(identity)))?.id;

/** Row id of an identity, created on first use. */
export async function identityId(connection: Statements, identity: EmbeddingIdentity): Promise<number> {
  for (;;) {
    const id = await findIdentity(connection, identity);
    if (id !== undefined) return id;
    await connection.run(
      "INSERT INTO embedding_identities (model, revision, dimensions, pooling) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
      ...identityParts(identity),
    );
  }
}

/** Condition that a memory `m` has a vector of an identity for its present text. Takes the parts of the identity. */
export const HAS_VECTOR = `EXISTS (SELECT 1 FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id
  WHERE v.memory_id = m.id AND v.content_hash = m.content_hash
    AND i.model = ? AND i.revision = ? AND i.dimensions = ? AND i.pooling = ?)`;

/**
 * Gives a store without vectors the configured identity, and replaces an earlier term table by this release's. A store
 * with vectors of a model keeps its identity.
 */
export async function adoptIdentity(tx: Statements, input: EmbeddingIdentity | undefined): Promise<void> {
  lockIdentities(tx);
  const identity = await missingIdentity(tx, input);
  if (identity) await activate(tx, identity);
}

/** The identity that the store should change to; undefined if it keeps its own. */
export async function missingIdentity(
  connection: Reading,
  input: EmbeddingIdentity | undefined,
): Promise<EmbeddingIdentity | undefined> {
  const { active } = await kept(connection);
  if (active === undefined) return input ?? BUILTIN_IDENTITY;
  if (isOfEarlierTable(active)) return BUILTIN_IDENTITY;
  // A process without a model, such as an operator's command, changes nothing.
  if (input === undefined || isSameIdentity(active, input) || (await hasVectors(connection, active))) return undefined;
  return input;
}

/** Serialises changes of the store's identities. */
const lockIdentities = (tx: Statements): void => tx.dialect.lock(tx, "identities", "");

async function hasVectors(connection: Reading, identity: EmbeddingIdentity): Promise<boolean> {
  const id = await findIdentity(connection, identity);
  if (id === undefined) return false;
  return (await connection.get("SELECT 1 FROM vectors WHERE identity_id = ? LIMIT 1", id)) !== undefined;
}

const STATUS = `CASE WHEN ${HAS_VECTOR} THEN 'ok' ELSE ${statusWithoutVector("m")} END`;

/** Makes an identity the active one: memories are pending for it. */
async function activate(tx: Statements, identity: EmbeddingIdentity): Promise<void> {
  const parts = identityParts(identity);
  await tx.run(
    `UPDATE memories AS m SET embedding_status = ${STATUS} WHERE embedding_status <> ${STATUS}`,
    ...parts,
    ...parts,
  );
  name(tx, ACTIVE, identity);
  const { next } = await kept(tx);
  if (next && isSameIdentity(next, identity)) callOff(tx);
}

const callOff = (tx: Statements): void => tx.later(`DELETE FROM meta WHERE key = '${NEXT}'`);

const name = (tx: Statements, key: typeof ACTIVE | typeof NEXT, identity: EmbeddingIdentity): void =>
  tx.later(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    key,
    JSON.stringify(identityParts(identity)),
  );

interface VectorKey {
  readonly memory_id: number;
  readonly identity_id: number;
}

// A store in use is never covered completely; the rest stays pending after the change.
const MAY_LACK = 0.01;
const DROPPED_AT_ONCE = 500;

const sqlOf = statements((d) => ({
  /** Vectors of the wrong length for their identity. */
  broken: `SELECT v.memory_id, v.identity_id FROM vectors v JOIN embedding_identities i ON i.id = v.identity_id
    WHERE ${d.lengthOfVector("v.vector")} <> i.dimensions`,
  // Another process may have replaced the vector meanwhile.
  dropBroken: `DELETE FROM vectors WHERE memory_id = ? AND identity_id = ? AND ${d.lengthOfVector("vector")} <>
    (SELECT dimensions FROM embedding_identities WHERE id = identity_id)`,
  dropSome: `DELETE FROM vectors WHERE (memory_id, identity_id) IN (SELECT memory_id, identity_id FROM vectors
    WHERE NOT (${d.isOneOf("identity_id")}) LIMIT ${DROPPED_AT_ONCE})`,
}));

/** The identities of a store, and changes to them. */
export function identityBook(reader: Reading, { write }: Pick<Transactions, "write">): IdentityBook {
  return {
    current: () => readIdentities(reader),
    shares: () => shares(reader),
    async begin(next) {
      // Searched outside of the transaction, because it scans all vectors.
      const broken = await reader.all<VectorKey>(sqlOf(reader.dialect).broken);
      return write(async (tx) => {
        lockIdentities(tx);
        const { active } = await readIdentities(tx);
        const activeId = await findIdentity(tx, active);
        for (const { memory_id, identity_id } of broken) {
          const { changes } = await tx.run(sqlOf(tx.dialect).dropBroken, memory_id, identity_id);
          if (changes > 0 && identity_id === activeId)
            tx.later("UPDATE memories SET embedding_status = 'pending' WHERE id = ?", memory_id);
        }
        callOff(tx);
        if (isSameIdentity(next, active)) return { active, next: undefined };
        if (await hasVectors(tx, active)) name(tx, NEXT, next);
        else await activate(tx, next);
        return readIdentities(tx);
      });
    },
    settle: () =>
      write(async (tx) => {
        lockIdentities(tx);
        const { next } = await readIdentities(tx);
        if (!next || !(await isCovered(tx, next))) return false;
        await activate(tx, next);
        return true;
      }),
    async dropOthers() {
      let dropped = 0;
      // In slices, so that no call waits long.
      for (let piece = DROPPED_AT_ONCE; piece === DROPPED_AT_ONCE; dropped += piece)
        piece = await write(dropSome, "sweep");
      return dropped;
    },
  };
}

async function isCovered(connection: Reading, identity: EmbeddingIdentity): Promise<boolean> {
  const row = await connection.get<{ live: number; done: number }>(
    `SELECT count(*) AS live, count(*) FILTER (WHERE ${HAS_VECTOR}) AS done
     FROM memories m WHERE m.archived_at IS NULL AND m.embedding_status <> 'none'`,
    ...identityParts(identity),
  );
  return row !== undefined && row.live - row.done <= row.live * MAY_LACK;
}

async function dropSome(tx: Statements): Promise<number> {
  const { active, next } = await readIdentities(tx);
  const stay = await Promise.all([active, ...(next ? [next] : [])].map((identity) => identityId(tx, identity)));
  return (await tx.run(sqlOf(tx.dialect).dropSome, stay)).changes;
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
  const chosen = [active, ...(next ? [next] : [])];
  const isChosen = (identity: EmbeddingIdentity) => chosen.some((each) => isSameIdentity(each, identity));
  return [
    ...chosen.map(
      (identity) => stored.find((share) => isSameIdentity(share.identity, identity)) ?? { identity, done: 0 },
    ),
    ...stored.filter(({ identity, done }) => done > 0 && !isChosen(identity)),
  ];
}
