import { type Caller, type Space, spaceOf } from "@chest/core/access";
import { isOver, type Memory, stateOf } from "@chest/core/memory";
import type { ConflictPage, ConflictReads, ConflictWrites, MemoryRows } from "@chest/core/ports";
import { contradiction, type NearPair, placedFor } from "@chest/core/statements";
import { isOfJournal, isUnexpired } from "../database/condition.ts";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import { isInPart, type PartOf } from "../database/inbox-items.ts";
import { toDate } from "../database/rows.ts";
import { type SpacesIn, setOf } from "../database/spaces.ts";
import type { Transaction } from "../database/transaction.ts";
import { keepVersion } from "./versions.ts";

const BOTH_WAYS = "((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))";

const sqlOf = statements((d) => {
  // Contradictions are few. Without this hint SQLite begins with every visible memory.
  const open = `FROM memory_links l${d.indexedBy("memory_links_contradicts")} JOIN memories m ON m.id = l.from_id AND ${d.isOneOf("m.space")}
      JOIN memories t ON t.id = l.to_id AND ${d.isOneOf("t.space")}
    WHERE l.type = 'contradicts' AND m.archived_at IS NULL AND t.archived_at IS NULL
      AND ${isUnexpired("m")} AND ${isUnexpired("t")}
      AND NOT ${isOfJournal("m")} AND NOT ${isOfJournal("t")}`;
  const contradicts = "SELECT l.from_id, l.to_id FROM memory_links l WHERE l.type = 'contradicts'";
  return {
    count: `SELECT count(*) AS n ${open}`,
    list: `SELECT l.from_id, l.to_id, l.note, l.created_at ${open}`,
    pair: [d.greatest("l.from_id", "l.to_id"), d.least("l.from_id", "l.to_id")] as const,
    // Every recall asks this and most stores have no contradictions, so EXISTS comes first. Each end has its own index.
    opponents: `SELECT p.from_id, p.to_id, f.space AS from_space, t.space AS to_space
      FROM (${contradicts} AND ${d.isOneOf("l.from_id")} UNION ${contradicts} AND ${d.isOneOf("l.to_id")}) p
        JOIN memories f ON f.id = p.from_id AND f.archived_at IS NULL AND ${isUnexpired("f")}
        JOIN memories t ON t.id = p.to_id AND t.archived_at IS NULL AND ${isUnexpired("t")}
      WHERE EXISTS (SELECT 1 FROM memory_links WHERE type = 'contradicts')`,
    annotate: `UPDATE memory_links SET note = coalesce(note || '; ', '') || CAST(? AS text)
      WHERE ${BOTH_WAYS} AND type = 'contradicts' AND NOT (${d.contains("coalesce(note, '')", "CAST(? AS text)")})`,
  };
});

const IN_ORDER = "ORDER BY l.created_at DESC, l.from_id DESC, l.to_id DESC LIMIT ? OFFSET ?";

interface OpenRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly note: string | null;
  readonly created_at: number;
}

/** Query for near duplicates. */
export interface PairsQuery {
  readonly spaces: readonly Space[];
  readonly tagLikeness: number;
  /** Only pairs in this part of the inbox; undefined: all. */
  readonly part?: PartOf | undefined;
  readonly page: { readonly limit: number; readonly offset: number };
}

export interface NearPairPage {
  readonly total: number;
  readonly groups: number;
  readonly pairs: readonly NearPair[];
}

interface ConflictParts extends Pick<MemoryRows, "byIds"> {
  readonly caller: Pick<Caller, "member">;
  /** Compares many memories off the main thread. */
  readonly nearPairs: (query: PairsQuery) => Promise<NearPairPage>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Contradictions and near duplicates that one caller may see. */
export function conflictReads(
  connection: Reading,
  spacesIn: SpacesIn,
  { caller, byIds, nearPairs, now }: ConflictParts,
): ConflictReads {
  const sql = sqlOf(connection.dialect);
  const partOf = (part: ConflictPage["part"]): PartOf | undefined =>
    part && { part, member: caller.member.id, nowS: now() };
  return {
    ...opponentReads(connection, spacesIn, now),

    async conflicts({ reach, part, limit, offset }) {
      const open = await spacesIn(reach);
      const asked = partOf(part);
      const inPart = asked && isInPart("contradictions", asked, sql.pair);
      const also = inPart === undefined ? "" : ` AND ${inPart.sql}`;
      const where = [open, open, now(), now(), ...(inPart?.values ?? [])];
      const [counted, rows] = await Promise.all([
        connection.get<{ n: number }>(`${sql.count}${also}`, ...where),
        connection.all<OpenRow>(`${sql.list}${also} ${IN_ORDER}`, ...where, limit, offset),
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

    async duplicates({ reach, part, tagLikeness, limit, offset }) {
      const {
        total,
        groups,
        pairs: page,
      } = await nearPairs({
        spaces: await spacesIn(reach),
        tagLikeness,
        part: partOf(part),
        page: { limit, offset },
      });
      const byId = await memoriesOf(
        byIds,
        page.flatMap(({ ids }) => [...ids]),
      );
      const pairs = page.flatMap(({ ids, ...found }) => {
        const [newer, older] = [byId.get(ids[0]), byId.get(ids[1])];
        return newer && older ? [{ newer, older, ...found }] : [];
      });
      return { total, groups, pairs };
    },
  };
}

const memoriesOf = async (byIds: MemoryRows["byIds"], ids: readonly number[]): Promise<ReadonlyMap<number, Memory>> =>
  new Map((await byIds(ids)).map((memory) => [memory.id, memory]));

interface PairRow {
  readonly from_id: number;
  readonly to_id: number;
  readonly from_space: Space;
  readonly to_space: Space;
}

function opponentReads(connection: Reading, spacesIn: SpacesIn, now: () => number): Pick<ConflictReads, "opponents"> {
  return {
    async opponents(ids) {
      const found = new Map<number, number[]>();
      if (ids.length === 0) return found;
      const asked = new Set(ids);
      const open = setOf(await spacesIn("everywhere"));
      for (const row of await connection.all<PairRow>(sqlOf(connection.dialect).opponents, ids, ids, now(), now())) {
        if (!open.has(row.from_space) || !open.has(row.to_space)) continue;
        for (const [id, other] of [
          [row.from_id, row.to_id],
          [row.to_id, row.from_id],
        ] as const) {
          const others = found.get(id) ?? [];
          if (asked.has(id))
            found.set(
              id,
              [...new Set([...others, other])].sort((a, b) => a - b),
            );
        }
      }
      return found;
    },
  };
}

const IS_SAID = `SELECT 1 FROM memory_links
  WHERE ${BOTH_WAYS} AND (type = 'contradicts' OR (type = 'related_to' AND origin = 'manual'))`;
const IS_OPPOSED = `SELECT 1 FROM memory_links WHERE ${BOTH_WAYS} AND type = 'contradicts'`;
const SETTLED = `SELECT coalesce(note, '') AS note FROM memory_links WHERE ${BOTH_WAYS} AND type = 'related_to' AND origin = 'manual'`;
const LINK = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (from_id, to_id, type) DO UPDATE SET (note, origin, author_id, created_at) =
    (excluded.note, excluded.origin, excluded.author_id, excluded.created_at)`;
const UNLINK = `DELETE FROM memory_links WHERE ${BOTH_WAYS} AND type = ?`;

/**
 * Records and settles contradictions in a transaction.
 * @param nearest ids of memories of the same entity and space with similar words
 */
export function conflictWrites(
  tx: Transaction,
  reads: MemoryRows,
  nearest: (memory: ReturnType<typeof placedFor>, limit: number) => Promise<readonly number[]>,
): ConflictWrites {
  const { connection } = tx;
  const { opponents } = opponentReads(connection, tx.spacesIn, () => tx.nowS);
  const link = (from: number, to: number, type: string, note: string | null, origin: "auto" | "manual") =>
    connection.later(LINK, from, to, type, note, origin, tx.caller.member.id, tx.nowS);
  const unlink = (one: number, other: number, type: string) => connection.later(UNLINK, one, other, other, one, type);
  return {
    opponents,

    async alike(memory, limit) {
      const projectId = "space" in memory ? undefined : await tx.projectId(memory.projectKey);
      const placed = placedFor(memory, ({ visibility }) => spaceOf(visibility, tx.caller.member, projectId));
      const found = await reads.byIds(await nearest(placed, limit));
      return found.filter((each) => each.id !== placed.id && isBeside(each, placed) && !isOver(each, tx.now));
    },

    async note(newer, older, reason) {
      if (await connection.get(IS_SAID, newer.id, older.id, older.id, newer.id)) return false;
      link(newer.id, older.id, "contradicts", reason, "auto");
      return true;
    },

    async annotate(one, other, remark) {
      connection.later(sqlOf(connection.dialect).annotate, remark, one.id, other.id, other.id, one.id, remark);
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

    async settlementOf(one, other) {
      return (await connection.get<{ note: string }>(SETTLED, one.id, other.id, other.id, one.id))?.note;
    },

    async reopen(one, other, as) {
      unlink(one.id, other.id, "related_to");
      for (const memory of [one, other]) keepVersion(tx, memory, "reopen");
      if (as === "alike") return;
      // A reopened pair keeps its link and first reason.
      if (await connection.get(IS_OPPOSED, one.id, other.id, other.id, one.id)) return;
      const [newer, older] = one.id > other.id ? [one, other] : [other, one];
      const found = contradiction(newer.content, older.content);
      link(newer.id, older.id, "contradicts", found?.reason ?? null, found ? "auto" : "manual");
    },
  };
}

const isBeside = (one: Memory, other: Pick<Memory, "entity" | "space">): boolean =>
  one.entity.id === other.entity.id && one.space === other.space && stateOf(one) === "live";
