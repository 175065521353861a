import { type Caller, noSuch } from "@chest/core/access";
import type { PurgeReceipt, Purger, PurgeTarget } from "@chest/core/ports";
import type { TextPlace } from "@chest/core/redaction";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import type { Transactions } from "../database/transact.ts";
import type { Transaction } from "../database/transaction.ts";
import { deleteRows, eraseSessions } from "./delete-rows.ts";
import {
  cleanNotes,
  cleanTexts,
  notesQuoting,
  type PurgedRow,
  type PurgedStatements,
  sessionTextsQuoting,
  statementsOf,
} from "./erase-quotes.ts";
import { rewriteNames } from "./redact-names.ts";
import { rewriteOwnerless, rewriteTexts } from "./redact-texts.ts";

const SLICE = 100;
/** Texts whose statements are read within one transaction: a millisecond each, and more for a long one. */
const FEW = 20;

/** Copies that still contain what was purged from the tables. */
export type PurgeRemainder = Pick<PurgeReceipt, "backups" | "isLogClean" | "keptBy">;

export interface PurgerParts {
  readonly reader: Reading;
  readonly transactions: Transactions;
  /** Condition on `idempotency` for answers about one of a bound list of memories. */
  readonly isAnswerAbout: string;
  /** Text columns in tables that only this engine has. */
  readonly places?: readonly TextPlace[];
  readonly visit: Purger["visit"];
  /** Removes purged rows from the database files, and reports remaining copies. */
  clean(uids: readonly string[]): Promise<PurgeRemainder>;
}

/** Purges stored texts from every table. */
export function purger({
  reader,
  transactions,
  isAnswerAbout,
  places = [],
  visit,
  clean: cleanFiles,
}: PurgerParts): Purger {
  const inTransaction = (by: Caller, work: (tx: Transaction) => Promise<void>): Promise<void> =>
    transactions.transact({ caller: by, isOwn: true }, async (tx) => {
      tx.ensureMember(by.member);
      await work(tx);
    });

  /** Works in slices with other writes in between. Repeating the call finishes an interrupted purge. */
  async function sliced(
    by: Caller,
    op: string,
    ids: readonly number[],
    work: (tx: Transaction, slice: readonly number[]) => Promise<void>,
  ): Promise<void> {
    await inTransaction(by, async (tx) => tx.audit(op, { memoryIds: ids, outcome: "begun" }));
    for (let from = 0; from < ids.length; from += SLICE) {
      const slice = ids.slice(from, from + SLICE);
      await inTransaction(by, async (tx) => {
        await work(tx, slice);
        tx.audit(op, { memoryIds: slice });
      });
    }
  }

  /** Erases what is left of purged statements in notes that quote them, and of a member's or a session's own transcripts. */
  async function eraseAround(
    by: Caller,
    ids: readonly number[],
    target: PurgeTarget | undefined,
    purged: PurgedStatements | undefined,
  ): Promise<void> {
    const sessions = target && (await sessionsOf(reader, target));
    const gone = new Set(ids);
    const notes = purged ? (await notesQuoting(reader, purged)).filter((id) => !gone.has(id)) : [];
    if (purged)
      for (let from = 0; from < notes.length; from += FEW)
        await inTransaction(by, (tx) => cleanNotes(tx, notes.slice(from, from + FEW), purged));
    if (sessions) await inTransaction(by, (tx) => eraseSessions(tx, sessions));
    if (purged)
      for (const { texts, ...where } of await sessionTextsQuoting(reader, purged))
        for (let from = 0; from < texts.length; from += FEW)
          await inTransaction(by, (tx) => cleanTexts(tx, { ...where, texts: texts.slice(from, from + FEW) }, purged));
  }

  return {
    find: (target) => findIds(reader, target),
    async purge(by, input, target) {
      const rows = await existing(reader, input);
      const ids = rows.map(({ id }) => id);
      const derived = await derivedOf(reader, ids);
      // The rows go last: a repeat finishes a purge that was interrupted, as long as they tell what is looked for.
      await eraseAround(by, ids, target, await statementsOf(rows));
      if (ids.length > 0) await sliced(by, "purge", ids, (tx, slice) => deleteRows(tx, slice, isAnswerAbout));
      return { purged: ids, derived, ...(await cleanFiles(rows.map(({ uid }) => uid))) };
    },
    visit,
    async rewrite(by, input, clean) {
      const rows = await existing(reader, input);
      const ids = rows.map(({ id }) => id);
      await sliced(by, "redact", ids, (tx, slice) => rewriteTexts(tx, slice, clean));
      await inTransaction(by, async (tx) => {
        await rewriteOwnerless(tx, clean, places);
        await rewriteNames(tx, clean);
      });
      const left = await cleanFiles(rows.map(({ uid }) => uid));
      return { derived: await derivedOf(reader, ids), ...left };
    },
  };
}

async function findIds(reader: Reading, target: PurgeTarget): Promise<number[]> {
  if ("ids" in target) return (await existing(reader, target.ids)).map(({ id }) => id);
  if ("session" in target)
    return reader.ids("SELECT id FROM memories WHERE session_id = ? ORDER BY id", target.session);
  const member = await memberNamed(reader, target.member);
  const own = target.isPrivateOnly ? " AND visibility = 'private'" : "";
  return reader.ids(`SELECT id FROM memories WHERE author_id = ?${own} ORDER BY id`, member.id);
}

async function memberNamed(reader: Reading, name: string): Promise<{ id: number }> {
  const member = await reader.get<{ id: number }>("SELECT id FROM members WHERE name = ?", name);
  if (!member) throw noSuch("member", name);
  return member;
}

/** Sessions that a target takes as a whole. */
async function sessionsOf(
  reader: Reading,
  target: PurgeTarget,
): Promise<Parameters<typeof eraseSessions>[1] | undefined> {
  if ("session" in target) return target;
  if ("ids" in target || target.isPrivateOnly) return undefined;
  return { memberId: (await memberNamed(reader, target.member)).id };
}

const sqlOf = statements((d) => ({
  existing: `SELECT id, uid, content, space, project_id, author_id FROM memories WHERE ${d.isOneOf("id")} ORDER BY id`,
  // Derived rows: summaries and successors.
  derived: `SELECT id FROM (
      SELECT from_id AS id FROM memory_links WHERE type IN ('summarises', 'supersedes') AND ${d.isOneOf("to_id")}
      UNION SELECT superseded_by_id FROM memories WHERE superseded_by_id IS NOT NULL AND ${d.isOneOf("id")}) made_of_them
    WHERE NOT (${d.isOneOf("id")}) ORDER BY id`,
}));

interface ExistingRow extends PurgedRow {
  readonly id: number;
  readonly uid: string;
}

const existing = (reader: Reading, ids: readonly number[]): Promise<ExistingRow[]> =>
  reader.all(sqlOf(reader.dialect).existing, ids);

const derivedOf = (reader: Reading, ids: readonly number[]): Promise<number[]> =>
  reader.ids(sqlOf(reader.dialect).derived, ids, ids, ids);
