import type { NearPair } from "@chest/core";
import {
  type ConflictReads,
  type ConflictWrites,
  type FingerprintRow,
  Fingerprints,
  type Memory,
  type MemoryRows,
  MOST_FINGERPRINTS,
  placedFor,
  type Reach,
  type Space,
  spaceOf,
  stateOf,
} from "@chest/core";
import type { Connection, Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";
import type { Transaction } from "../database/transaction.ts";
import { keepVersion } from "./memory-writes.ts";

interface PairRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly from_space: Space;
  readonly to_space: Space;
}

const PAIRS = `SELECT l.from_id, l.to_id, f.space AS from_space, t.space AS to_space
  FROM memory_links l JOIN memories f ON f.id = l.from_id JOIN memories t ON t.id = l.to_id
  WHERE l.type = 'contradicts' AND f.archived_at IS NULL AND t.archived_at IS NULL`;
const OPPONENTS = `${PAIRS} AND l.from_id IN (SELECT value FROM json_each(?))
  UNION ${PAIRS} AND l.to_id IN (SELECT value FROM json_each(?))`;

// Most stores have none: every recall asks.
const ANY = "SELECT 1 FROM memory_links WHERE type = 'contradicts' LIMIT 1";

const OPEN = `FROM memory_links l JOIN memories f ON f.id = l.from_id JOIN memories t ON t.id = l.to_id
  WHERE l.type = 'contradicts' AND f.archived_at IS NULL AND t.archived_at IS NULL
    AND f.space IN (SELECT value FROM json_each(?)) AND t.space IN (SELECT value FROM json_each(?))`;

/** Near duplicates as a thread compares them. */
export interface PairsRequest {
  readonly asks: {
    readonly spaces: readonly Space[];
    readonly tagLikeness: number;
    readonly page: { readonly limit: number; readonly offset: number };
  };
  readonly gives: { readonly total: number; readonly pairs: readonly NearPair[] };
}

type AskPairs = (asked: PairsRequest["asks"]) => Promise<PairsRequest["gives"]>;

/** Contradictions and near duplicates as one caller may see them. @param nearPairs asks a thread */
export function conflictReads(
  connection: Reading,
  spaces: (reach: Reach) => readonly Space[],
  { byIds, nearPairs }: Pick<MemoryRows, "byIds"> & { readonly nearPairs: AskPairs },
): ConflictReads {
  return {
    ...opponentReads(connection, spaces),

    async conflicts({ reach, limit, offset }) {
      const open = JSON.stringify(spaces(reach));
      const total = connection.get<{ n: number }>(`SELECT count(*) AS n ${OPEN}`, open, open)?.n ?? 0;
      const rows = connection.all<{ from_id: number; to_id: number; note: string | null; created_at: number }>(
        `SELECT l.from_id, l.to_id, l.note, l.created_at ${OPEN}
         ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC LIMIT ? OFFSET ?`,
        open,
        open,
        limit,
        offset,
      );
      const memories = await byIds(rows.flatMap((row) => [row.from_id, row.to_id]));
      const byId = new Map(memories.map((memory) => [memory.id, memory]));
      const pairs = rows.flatMap(({ from_id, to_id, note, created_at }) => {
        const [newer, older] = [byId.get(from_id), byId.get(to_id)];
        return newer && older ? [{ newer, older, note: note ?? undefined, notedAt: toDate(created_at) }] : [];
      });
      return { total, pairs };
    },

    async duplicates({ reach, tagLikeness, limit, offset }) {
      const asked = { spaces: spaces(reach), tagLikeness, page: { limit, offset } };
      const { total, pairs: page } = await nearPairs(asked);
      const byId = new Map((await byIds(page.flatMap(({ ids }) => [...ids]))).map((memory) => [memory.id, memory]));
      const pairs = page.flatMap(({ ids, ...found }) => {
        const [newer, older] = [byId.get(ids[0]), byId.get(ids[1])];
        return newer && older ? [{ newer, older, ...found }] : [];
      });
      return { total, pairs };
    },
  };
}

function opponentReads(
  connection: Reading,
  spaces: (reach: Reach) => readonly Space[],
): Pick<ConflictReads, "opponents"> {
  return {
    async opponents(ids) {
      const found = new Map<number, number[]>();
      if (ids.length === 0 || connection.get(ANY) === undefined) return found;
      const asking = JSON.stringify(ids);
      const asked = new Set(ids);
      const open = new Set(spaces("everywhere"));
      for (const row of connection.all<PairRow>(OPPONENTS, asking, asking)) {
        if (!open.has(row.from_space) || !open.has(row.to_space)) continue;
        for (const [id, other] of [
          [row.from_id, row.to_id],
          [row.to_id, row.from_id],
        ] as const) {
          if (asked.has(id))
            found.set(
              id,
              [...new Set([...(found.get(id) ?? []), other])].sort((a, b) => a - b),
            );
        }
      }
      return found;
    },
  };
}

// Looked up by the entity: the index of a space would walk through all that others wrote there.
const NEWEST = `SELECT id, content, created_at FROM memories
  WHERE entity_id = ? AND +space = ? AND archived_at IS NULL AND created_at >= ? AND id > ? ORDER BY created_at DESC, id DESC LIMIT ${MOST_FINGERPRINTS}`;

const fingerprints = new WeakMap<Connection, Fingerprints>();

function fingerprintsBeside(connection: Connection): Fingerprints {
  const known = fingerprints.get(connection) ?? new Fingerprints();
  fingerprints.set(connection, known);
  return known;
}

const IS_SAID = `SELECT 1 FROM memory_links
  WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))
    AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;
const SETTLED = `SELECT coalesce(note, '') AS note FROM memory_links
  WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?)) AND type = 'related_to' AND origin = 'manual'`;
const LINK = `INSERT OR REPLACE INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;
const UNLINK = `DELETE FROM memory_links
  WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?)) AND type = ?`;

const ANNOTATE = `UPDATE memory_links SET note = coalesce(note || '; ', '') || ?
  WHERE ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?)) AND type = 'contradicts'
    AND instr(coalesce(note, ''), ?) = 0`;

/** Contradictions as a transaction notes and settles them. @param writing the connection that it writes over */
export function conflictWrites(
  tx: Transaction,
  writing: Connection,
  reads: MemoryRows,
  spaces: (reach: Reach) => readonly Space[],
): ConflictWrites {
  const { connection } = tx;
  const { opponents } = opponentReads(connection, spaces);
  const known = fingerprintsBeside(writing);
  const link = (from: number, to: number, type: string, note: string, origin: "auto" | "manual") =>
    connection.run(LINK, from, to, type, note, origin, tx.caller.member.id, tx.nowS);
  const unlink = (one: number, other: number, type: string) => connection.run(UNLINK, one, other, other, one, type);
  return {
    opponents,

    async alike(memory, limit) {
      const placed = placedFor(memory, ({ visibility, projectKey }) =>
        spaceOf(visibility, tx.caller.member, tx.projectId(projectKey)),
      );
      const { newestS, lastId } = known.readUpTo(placed, tx.nowS);
      const rows = connection.all<FingerprintRow>(NEWEST, placed.entity.id, placed.space, newestS, lastId).reverse();
      const found = await reads.byIds(known.nearest(placed, rows, tx.nowS, limit));
      return found.filter((each) => each.id !== placed.id && isBeside(each, placed));
    },

    async note(newer, older, reason) {
      if (connection.get(IS_SAID, newer.id, older.id, older.id, newer.id)) return false;
      link(newer.id, older.id, "contradicts", reason, "auto");
      return true;
    },

    async annotate(one, other, remark) {
      connection.run(ANNOTATE, remark, one.id, other.id, other.id, one.id, remark);
    },

    async withdraw({ id }) {
      connection.run(
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
      return connection.get<{ note: string }>(SETTLED, one.id, other.id, other.id, one.id)?.note;
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
