import { randomBytes } from "node:crypto";
import { type Space, spaceOf } from "@chest/core/access";
import { type Memory, stateOf } from "@chest/core/memory";
import type { NewMemory } from "@chest/core/ports";
import { type Mark, marksLike, marksOf, statementsIn, WHOLE, withoutForgotten } from "@chest/core/statements";
import { isOfJournal } from "../database/condition.ts";
import type { Reading, Statements } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import type { Transaction } from "../database/transaction.ts";

const SECRET = "tombstones";
const SECRET_BYTES = 32;

interface Stone {
  readonly space: Space;
  readonly member_id: number;
  readonly memory_id: number;
  readonly hash: string;
  readonly facts: string;
}

const COLUMNS = "space, member_id, memory_id, hash, facts";

const sqlOf = statements((d) => ({
  // One lookup in a store without tombstones, which is the usual case.
  secret: `SELECT value FROM store_secrets WHERE name = '${SECRET}' AND EXISTS (SELECT 1 FROM tombstones WHERE ${d.isOneOf("space")})`,
  alike: `SELECT ${COLUMNS} FROM tombstones WHERE space = ? AND ${d.isOneOf("hash")}`,
  wholeOnes: `SELECT ${COLUMNS} FROM tombstones WHERE ${d.isOneOf("space")} AND hash >= '${WHOLE}' AND ${d.isOneOf("member_id")}`,
  ofJournal: `SELECT m.id FROM memories m WHERE ${d.isOneOf("m.id")} AND ${isOfJournal("m")}`,
  add: `INSERT INTO tombstones (space, hash, facts, member_id, memory_id, at)
    SELECT CAST(? AS text), h.value, CAST(? AS text), m.value, CAST(? AS bigint), CAST(? AS bigint)
    FROM ${d.valuesOf("text", "h")}, ${d.valuesOf("bigint", "m")} WHERE true ON CONFLICT DO NOTHING`,
  makeSecret: `INSERT INTO store_secrets (name, value) VALUES ('${SECRET}', ?) ON CONFLICT DO NOTHING`,
  remove: `DELETE FROM tombstones WHERE ${d.isOneOf("memory_id")}`,
}));

/**
 * Records a memory's statement as forgotten in its space, so that sessions of its author and of the archiving member do
 * not capture it again.
 */
export async function raiseTombstone(tx: Transaction, { id, space, content, authorId }: Memory): Promise<void> {
  const { connection, caller, nowS } = tx;
  const sql = sqlOf(connection.dialect);
  await connection.run(sql.makeSecret, randomBytes(SECRET_BYTES).toString("base64url"));
  const made = await connection.get<{ value: string }>(`SELECT value FROM store_secrets WHERE name = '${SECRET}'`);
  const members = [...new Set([authorId, caller.member.id])];
  for (const [facts, marks] of Map.groupBy(marksOf(content, made?.value ?? ""), (mark) => mark.facts)) {
    const hashes = marks.map(({ hash }) => hash);
    connection.later(sql.add, space, facts, id, nowS, hashes, members);
  }
}

/** Allows these memories' statements to be captured and shown again. */
export function liftTombstones({ connection }: Transaction, memories: readonly number[]): void {
  connection.later(sqlOf(connection.dialect).remove, memories);
}

/** Removes a tombstone in this space if a member states the same, or nearly the same, on purpose. */
export async function liftWhatIsSaid(tx: Transaction, { text, visibility, projectKey }: NewMemory): Promise<void> {
  const space = spaceOf(visibility, tx.caller.member, await tx.projectId(projectKey));
  const found = await stonesLike(tx.connection, space, [text.content]);
  if (found.length > 0) liftTombstones(tx, [...new Set(found.map(({ memory_id }) => memory_id))]);
}

/** Sends the first query of `liftWhatIsSaid` in advance. */
export const liftAhead = ({ dialect }: Reading, ahead: Statements["later"], space: Space): void =>
  ahead(sqlOf(dialect).secret, [space]);

/** Whether a captured text of the caller's session repeats a forgotten statement. */
export async function isForgotten(tx: Transaction, { text, visibility, projectKey }: NewMemory): Promise<boolean> {
  const { member } = tx.caller;
  const space = spaceOf(visibility, member, await tx.projectId(projectKey));
  const found = await stonesLike(tx.connection, space, () => statementsIn(text.content));
  return found.some(({ member_id }) => member_id === member.id);
}

async function stonesLike(
  connection: Reading,
  space: Space,
  said: readonly string[] | (() => readonly string[]),
): Promise<Stone[]> {
  const sql = sqlOf(connection.dialect);
  const secret = await connection.get<{ value: string }>(sql.secret, [space]);
  if (!secret) return [];
  const marks = (typeof said === "function" ? said() : said).flatMap((each) => marksLike(each, secret.value));
  const known = new Set(marks.map(keyOf));
  const alike = await connection.all<Stone>(sql.alike, space, [...new Set(marks.map(({ hash }) => hash))]);
  return alike.filter((stone) => known.has(keyOf(stone)));
}

const keyOf = ({ hash, facts }: Mark): string => `${hash} ${facts}`;

/** Removes forgotten statements from session notes and texts before they are shown. */
export interface Masking {
  rows<T extends Memory>(memories: readonly T[]): Promise<T[]>;
  /** Texts of the caller's own sessions. */
  texts(texts: readonly string[], member: number): Promise<string[]>;
}

export function maskingOver(connection: Reading, spaces: () => Promise<readonly Space[]>): Masking {
  const sql = sqlOf(connection.dialect);

  const secretOf = async (of: readonly Space[]) =>
    of.length === 0 ? undefined : (await connection.get<{ value: string }>(sql.secret, of))?.value;
  const stonesOf = (of: readonly Space[], members: readonly number[]) =>
    connection.all<Stone>(sql.wholeOnes, of, members);

  return {
    async rows(memories) {
      // Archived memories are shown in full, so that they can be judged and restored.
      const taken = memories.filter((memory) => memory.sourceType === "conversation" && stateOf(memory) === "live");
      const secret = await secretOf([...new Set(taken.map(({ space }) => space))]);
      if (secret === undefined) return [...memories];
      const ids = taken.map(({ id }) => id);
      const noted = new Set(await connection.ids(sql.ofJournal, ids));
      const rows = taken.filter(({ id }) => noted.has(id));
      if (rows.length === 0) return [...memories];
      const [of, members] = [rows.map(({ space }) => space), rows.map(({ authorId }) => authorId)];
      const stones = await stonesOf([...new Set(of)], [...new Set(members)]);
      const forgotten = new Set(stones.map((stone) => `${stone.space} ${stone.member_id} ${keyOf(stone)}`));
      return memories.map((memory) => {
        if (!noted.has(memory.id)) return memory;
        const { space, authorId } = memory;
        const isKnown = (mark: Mark) => forgotten.has(`${space} ${authorId} ${keyOf(mark)}`);
        return { ...memory, content: withoutForgotten(memory.content, secret, isKnown) };
      });
    },
    async texts(texts, member) {
      const of = texts.length === 0 ? [] : await spaces();
      const secret = await secretOf(of);
      if (secret === undefined) return [...texts];
      const forgotten = new Set((await stonesOf(of, [member])).map(keyOf));
      return texts.map((text) => withoutForgotten(text, secret, (mark) => forgotten.has(keyOf(mark))));
    },
  };
}
