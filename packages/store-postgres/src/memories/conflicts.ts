import {
  type ConflictReads,
  type ConflictWrites,
  type FingerprintRow,
  type Fingerprints,
  type Memory,
  type MemoryRows,
  MOST_FINGERPRINTS,
  placedFor,
  type Space,
  spaceOf,
  stateOf,
  withoutSettled,
} from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";
import { inSpaces } from "../search/condition.ts";
import type { SpacesIn } from "./memory-reads.ts";
import { keepVersion } from "./memory-writes.ts";
import { nearPairsOf } from "./near-pairs-thread.ts";

const IN_PLACE = inSpaces([]).sql;

const OPEN = `FROM memory_links l JOIN memories m ON m.id = l.from_id AND ${IN_PLACE}
    JOIN memories t ON t.id = l.to_id AND t.space = ANY (?)
  WHERE l.type = 'contradicts' AND m.archived_at IS NULL AND t.archived_at IS NULL`;

interface OpenRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly note: string | null;
  readonly created_at: number;
}

// Most memories that are compared with each other at one time: the newest.
const MOST_COMPARED = 5000;
const COMPARED = `SELECT m.id, m.space, m.content,
    ARRAY(SELECT tag FROM memory_tags t WHERE t.memory_id = m.id ORDER BY tag) AS tags
  FROM memories m WHERE m.archived_at IS NULL AND ${IN_PLACE}
  ORDER BY m.created_at DESC, m.id DESC LIMIT ${MOST_COMPARED}`;

const SETTLED_AMONG = `SELECT from_id, to_id FROM memory_links
  WHERE from_id = ANY (?) AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;

interface ComparedRow {
  readonly id: number;
  readonly space: Space;
  readonly content: string;
  readonly tags: readonly string[];
}

interface ConflictParts extends Pick<MemoryRows, "byIds"> {
  /** Asks what goes over many rows, and refuses where that takes too long. */
  readonly search: <T>(ask: (searcher: Reading) => Promise<T>) => Promise<T>;
}

/** Contradictions and near duplicates as one caller may see them. */
export function conflictReads(
  connection: Reading,
  spacesIn: SpacesIn,
  { byIds, search }: ConflictParts,
): ConflictReads {
  return {
    ...opponentReads(connection, spacesIn),

    async conflicts({ reach, limit, offset }) {
      const open = await spacesIn(reach);
      const [counted, rows] = await Promise.all([
        connection.get<{ n: number }>(`SELECT count(*) AS n ${OPEN}`, open, open),
        connection.all<OpenRow>(
          `SELECT l.from_id, l.to_id, l.note, l.created_at ${OPEN}
           ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC LIMIT ? OFFSET ?`,
          open,
          open,
          limit,
          offset,
        ),
      ]);
      const byId = await memoriesOf(
        byIds,
        rows.flatMap((row) => [row.from_id, row.to_id]),
      );
      const pairs = rows.flatMap(({ from_id, to_id, note, created_at }) => {
        const [newer, older] = [byId.get(from_id), byId.get(to_id)];
        return newer && older ? [{ newer, older, note: note ?? undefined, notedAt: toDate(created_at) }] : [];
      });
      return { total: counted?.n ?? 0, pairs };
    },

    async duplicates({ reach, tagLikeness, limit, offset }) {
      const rows = await search(async (searcher) => searcher.all<ComparedRow>(COMPARED, await spacesIn(reach)));
      const found = await nearPairsOf(rows, tagLikeness);
      const ids = [...new Set(found.flatMap((pair) => pair.ids))];
      const links = await connection.all<{ from_id: number; to_id: number }>(SETTLED_AMONG, ids);
      const all = withoutSettled(
        found,
        links.map(({ from_id, to_id }) => [from_id, to_id]),
      );
      const page = all.slice(offset, offset + limit);
      const byId = await memoriesOf(
        byIds,
        page.flatMap(({ ids }) => [...ids]),
      );
      const pairs = page.flatMap(({ ids, ...found }) => {
        const [newer, older] = [byId.get(ids[0]), byId.get(ids[1])];
        return newer && older ? [{ newer, older, ...found }] : [];
      });
      return { total: all.length, pairs };
    },
  };
}

const memoriesOf = async (byIds: MemoryRows["byIds"], ids: readonly number[]): Promise<ReadonlyMap<number, Memory>> =>
  new Map((await byIds(ids)).map((memory) => [memory.id, memory]));

// One row each way, so that each end finds the other by its own index.
const OPPONENTS = `SELECT pair.id, array_agg(DISTINCT pair.other ORDER BY pair.other) AS others FROM (
    SELECT l.from_id AS id, l.to_id AS other FROM memory_links l WHERE l.type = 'contradicts' AND l.from_id = ANY (?)
    UNION ALL
    SELECT l.to_id, l.from_id FROM memory_links l WHERE l.type = 'contradicts' AND l.to_id = ANY (?)) pair
  JOIN memories m ON m.id = pair.id AND m.archived_at IS NULL AND ${IN_PLACE}
  JOIN memories o ON o.id = pair.other AND o.archived_at IS NULL AND o.space = ANY (?)
  GROUP BY pair.id`;

function opponentReads(connection: Reading, spacesIn: SpacesIn): Pick<ConflictReads, "opponents"> {
  return {
    async opponents(ids) {
      if (ids.length === 0) return new Map();
      const open = await spacesIn("everywhere");
      const rows = await connection.all<{ id: number; others: readonly number[] }>(OPPONENTS, ids, ids, open, open);
      return new Map(rows.map(({ id, others }) => [id, others]));
    },
  };
}

// Ids are given before the commit: a row of a lower one may come to be seen after a row of a higher one.
const LATE_IDS = 100;
// By the entity: the index of a space has the order that is asked for, and would be walked whole.
const NEWEST = `SELECT id, content, created_at FROM memories
  WHERE entity_id = ? AND space || '' = ? AND archived_at IS NULL AND id > ?
  ORDER BY created_at DESC, id DESC LIMIT ${MOST_FINGERPRINTS}`;

const BOTH_WAYS = "((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))";
const IS_SAID = `SELECT 1 FROM memory_links
  WHERE ${BOTH_WAYS} AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;
const SETTLED = `SELECT coalesce(note, '') AS note FROM memory_links WHERE ${BOTH_WAYS} AND type = 'related_to' AND origin = 'manual'`;
const LINK = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (from_id, to_id, type) DO UPDATE SET (note, origin, author_id, created_at) =
    (excluded.note, excluded.origin, excluded.author_id, excluded.created_at)`;
const ANNOTATE = `UPDATE memory_links SET note = coalesce(note || '; ', '') || ?::text
  WHERE ${BOTH_WAYS} AND type = 'contradicts' AND strpos(coalesce(note, ''), ?) = 0`;
const UNLINK = `DELETE FROM memory_links WHERE ${BOTH_WAYS} AND type = ?`;

/** Contradictions as a transaction notes and settles them. @param known fingerprints that this process has read */
export function conflictWrites(tx: Transaction, reads: MemoryRows, known: Fingerprints): ConflictWrites {
  const { connection } = tx;
  const { opponents } = opponentReads(connection, tx.spacesIn);
  const link = (from: number, to: number, type: string, note: string, origin: "auto" | "manual") =>
    connection.later(LINK, from, to, type, note, origin, tx.caller.member.id, tx.nowS);
  const unlink = (one: number, other: number, type: string) => connection.later(UNLINK, one, other, other, one, type);
  return {
    opponents,

    async alike(memory, limit) {
      const projectId = "space" in memory ? undefined : await tx.projectId(memory.projectKey);
      const placed = placedFor(memory, ({ visibility }) => spaceOf(visibility, tx.caller.member, projectId));
      const { lastId } = known.readUpTo(placed, tx.nowS);
      const rows = await connection.all<FingerprintRow>(NEWEST, placed.entity.id, placed.space, lastId - LATE_IDS);
      const found = await reads.byIds(known.nearest(placed, rows.reverse(), tx.nowS, limit));
      return found.filter((each) => each.id !== placed.id && isBeside(each, placed));
    },

    async note(newer, older, reason) {
      if (await connection.get(IS_SAID, newer.id, older.id, older.id, newer.id)) return false;
      link(newer.id, older.id, "contradicts", reason, "auto");
      return true;
    },

    async annotate(one, other, remark) {
      connection.later(ANNOTATE, remark, one.id, other.id, other.id, one.id, remark);
    },

    async withdraw({ id }) {
      connection.later(
        "DELETE FROM memory_links WHERE (from_id = ? OR to_id = ?) AND type = 'contradicts' AND origin = 'auto'",
        id,
        id,
      );
    },

    async settle(one, other, reason) {
      for (const memory of [one, other]) keepVersion(tx, memory, "settle", reason);
      unlink(one.id, other.id, "contradicts");
      link(one.id, other.id, "related_to", reason, "manual");
    },

    async settled(one, other) {
      return (await connection.get<{ note: string }>(SETTLED, one.id, other.id, other.id, one.id))?.note;
    },

    async reopen(one, other, as) {
      unlink(one.id, other.id, "related_to");
      for (const memory of [one, other]) keepVersion(tx, memory, "reopen");
      if (as === "alike") return;
      unlink(one.id, other.id, "contradicts");
      link(Math.max(one.id, other.id), Math.min(one.id, other.id), "contradicts", "reopened", "manual");
    },
  };
}

const isBeside = (one: Memory, other: Pick<Memory, "entity" | "space">): boolean =>
  one.entity.id === other.entity.id && one.space === other.space && stateOf(one) === "live";
