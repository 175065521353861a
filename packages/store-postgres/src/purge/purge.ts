import { type Caller, type Clock, noSuch, type Purger, type PurgeTarget } from "@chest/core";
import type { Connections } from "../database/connection.ts";
import { Transaction } from "../database/transaction.ts";
import type { Writer } from "../database/write.ts";
import { deleteRows } from "./delete-rows.ts";
import { rewriteNames, rewriteOwnerless, rewriteTexts } from "./redact-texts.ts";
import { visitTexts } from "./stored-texts.ts";

const SLICE = 100;
/** No statement reaches these: they end by the settings of the server and its provider. */
const LEFT = {
  backups: [],
  isLogClean: false,
  keptBy: ["the write-ahead log and its archive", "replicas until they have caught up", "backups and snapshots"],
};
/** Tables whose dead rows hold what was taken away, until they are cleaned. */
const CLEANED = [
  ...[
    "memories",
    "memory_text",
    "postings",
    "memory_tags",
    "memory_versions",
    "memory_links",
    "memory_files",
    "memory_sources",
    "vectors",
    "coarse_vectors",
  ],
  ...["entities", "sessions", "session_file_edits", "session_snapshots", "idempotency"],
  ...["projects", "project_aliases", "tokens", "work_items", "gaps"],
];

export interface PurgerParts {
  readonly reader: Connections;
  readonly writer: Writer;
  readonly clock: Clock;
}

/**
 * Takes stored texts away from every table. The write-ahead log, replicas that lag and backups of the database keep them
 * until their own time is over, so that no log is ever called clean.
 */
export function purger({ reader, writer, clock }: PurgerParts): Purger {
  const inTransaction = (by: Caller, work: (tx: Transaction) => Promise<void>): Promise<void> =>
    writer.write(async (connection) => {
      const tx = new Transaction(connection, { caller: by, now: clock.now(), isOwn: true });
      tx.ensureMember(by.member);
      await work(tx);
    });

  /** In slices, so that others write in between; begun and not finished, the same call does the rest. */
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

  return {
    find: (target) => findIds(reader, target),
    async purge(by, given) {
      const ids = await existing(reader, given);
      const derived = await derivedOf(reader, ids);
      if (ids.length > 0) await sliced(by, "purge", ids, deleteRows);
      await reader.script(`VACUUM ${CLEANED.join(", ")}`);
      return { purged: ids, derived, ...LEFT };
    },
    visit: (look) => visitTexts(reader, look),
    async rewrite(by, given, clean) {
      const ids = await existing(reader, given);
      await sliced(by, "redact", ids, (tx, slice) => rewriteTexts(tx, slice, clean));
      await inTransaction(by, async (tx) => {
        await rewriteOwnerless(tx, clean);
        await rewriteNames(tx, clean);
      });
      await reader.script(`VACUUM ${CLEANED.join(", ")}`);
      return { derived: await derivedOf(reader, ids), ...LEFT };
    },
  };
}

async function findIds(reader: Connections, target: PurgeTarget): Promise<number[]> {
  if ("ids" in target) return existing(reader, target.ids);
  if ("session" in target)
    return reader.ids("SELECT id FROM memories WHERE session_id = ? ORDER BY id", target.session);
  const member = await reader.get<{ id: number }>("SELECT id FROM members WHERE name = ?", target.member);
  if (!member) throw noSuch("member", target.member);
  const own = target.isPrivateOnly ? " AND visibility = 'private'" : "";
  return reader.ids(`SELECT id FROM memories WHERE author_id = ?${own} ORDER BY id`, member.id);
}

const existing = (reader: Connections, ids: readonly number[]): Promise<number[]> =>
  reader.ids("SELECT id FROM memories WHERE id = ANY (?) ORDER BY id", ids);

/** Rows derived from these: their summaries, and the memories that replaced them. */
const DERIVED = `SELECT id FROM (
    SELECT from_id AS id FROM memory_links WHERE type IN ('summarises', 'supersedes') AND to_id = ANY (?)
    UNION SELECT superseded_by_id FROM memories WHERE superseded_by_id IS NOT NULL AND id = ANY (?)) made_of_them
  WHERE id <> ALL (?) ORDER BY id`;

const derivedOf = (reader: Connections, ids: readonly number[]): Promise<number[]> =>
  reader.ids(DERIVED, ids, ids, ids);
