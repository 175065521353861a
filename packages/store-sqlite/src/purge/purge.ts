import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, type Clock, noSuch, type Purger, type PurgeTarget } from "@chest/core";
import type { Connection } from "../database/connection.ts";
import type { Projects } from "../database/projects.ts";
import { cleanIndex } from "../full-text/optimize-index.ts";
import { Transaction } from "../writing/transaction.ts";
import type { Writer } from "../writing/write-queue.ts";
import { copiesHolding } from "./backups-containing.ts";
import { erase } from "./delete-rows.ts";
import { rewriteNames } from "./redact-names.ts";
import { rewriteOwnerless, rewriteTexts } from "./redact-texts.ts";
import { visitTexts } from "./stored-texts.ts";

const SLICE = 100;
const LOG_TRIES = 40;
const LOG_PAUSE_MS = 50;

export interface PurgerParts {
  readonly path: string;
  readonly reader: Connection;
  readonly writing: Connection;
  readonly writer: Writer;
  readonly written: Projects;
  readonly clock: Clock;
  readonly backupDir: string;
}

export function purger(parts: PurgerParts): Purger {
  const { reader, writing, writer, written, clock, path, backupDir } = parts;

  const inTransaction = <T>(by: Caller, work: (tx: Transaction) => T): Promise<T> =>
    writer.call(async (turn) => {
      const tx = new Transaction({ writing, written }, turn, { caller: by, now: clock.now() });
      tx.ensureMember(by.member);
      return work(tx);
    });

  /** Works in slices, so that other writes go in between. Repeating the call finishes an interrupted purge. */
  async function sliced(
    by: Caller,
    op: string,
    ids: readonly number[],
    work: (tx: Transaction, slice: readonly number[]) => readonly string[],
  ): Promise<string[]> {
    await inTransaction(by, (tx) => tx.audit(op, { memoryIds: ids, outcome: "begun" }));
    const uids: string[] = [];
    for (let from = 0; from < ids.length; from += SLICE) {
      const slice = ids.slice(from, from + SLICE);
      const done = await inTransaction(by, (tx) => {
        const gone = work(tx, slice);
        tx.audit(op, { memoryIds: slice });
        return gone;
      });
      uids.push(...done);
    }
    return uids;
  }

  return {
    find: async (target) => findIds(reader, target),
    async purge(by, given) {
      const ids = existing(reader, given);
      const derived = derivedOf(reader, ids);
      const uids = ids.length === 0 ? [] : await sliced(by, "purge", ids, erase);
      await cleanIndex(writer, writing);
      const isLogClean = await cleanLog(writer, writing);
      return { purged: ids, derived, backups: await copiesHolding(path, backupDir, uids), isLogClean };
    },
    visit: (look) => visitTexts(reader, look),
    async rewrite(by, given, clean) {
      const ids = existing(reader, given);
      const uids = await sliced(by, "redact", ids, (tx, slice) => rewriteTexts(tx, slice, clean));
      await inTransaction(by, (tx) => {
        rewriteOwnerless(tx, clean);
        rewriteNames(tx, clean);
      });
      await cleanIndex(writer, writing);
      const isLogClean = await cleanLog(writer, writing);
      return { derived: derivedOf(reader, ids), backups: await copiesHolding(path, backupDir, uids), isLogClean };
    },
  };
}

function findIds(reader: Connection, target: PurgeTarget): number[] {
  if ("ids" in target) return existing(reader, target.ids);
  if ("session" in target)
    return reader.ids("SELECT id FROM memories WHERE session_id = ? ORDER BY id", target.session);
  const member = reader.get<{ id: number }>("SELECT id FROM members WHERE name = ?", target.member);
  if (!member) throw noSuch("member", target.member);
  const own = target.isPrivateOnly ? " AND visibility = 'private'" : "";
  return reader.ids(`SELECT id FROM memories WHERE author_id = ?${own} ORDER BY id`, member.id);
}

const existing = (reader: Connection, ids: readonly number[]): number[] =>
  reader.ids("SELECT id FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", JSON.stringify(ids));

/** Rows derived from these: their summaries, and the memories that replaced them. */
const DERIVED = `SELECT from_id AS id FROM memory_links
    WHERE type IN ('summarises', 'supersedes') AND to_id IN (SELECT value FROM json_each(?))
  UNION SELECT superseded_by_id FROM memories
    WHERE superseded_by_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))
  EXCEPT SELECT value FROM json_each(?)`;

const derivedOf = (reader: Connection, ids: readonly number[]): number[] => {
  const list = JSON.stringify(ids);
  return reader.ids(DERIVED, list, list, list);
};

/** Empties the database's log. What another process reads at this moment it keeps, so it is asked for a while. */
async function cleanLog(writer: Writer, writing: Connection): Promise<boolean> {
  for (let attempt = 0; attempt < LOG_TRIES; attempt += 1) {
    const [result] = await writer.between(() => writing.db.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[]);
    if (result?.busy === 0) return true;
    await sleep(LOG_PAUSE_MS);
  }
  return false;
}
