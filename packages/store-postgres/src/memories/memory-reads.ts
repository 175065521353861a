import type {
  Accesses,
  AccessesTwice,
  Filter,
  Identities,
  Memory,
  MemoryRows,
  PastPage,
  PastVersion,
  Reach,
  Space,
} from "@chest/core";
import { parsedJson } from "@chest/core";
import { MEMORY_FROM, type MemoryRow, memoryColumns, toDate, toMemory, toSeconds } from "@chest/store/database/rows";
import type { Reading } from "../database/connection.ts";
import { POSTGRES } from "../database/dialect.ts";
import { readIdentities } from "../embedding/identities.ts";
import type { PendingCounts } from "../embedding/pending.ts";
import { condition, inSpaces } from "../search/condition.ts";

const DAY_S = 86_400;

export type SpacesIn = (reach: Reach) => Promise<readonly Space[]>;

const LOCK = "SELECT id FROM memories WHERE id = ANY (?) ORDER BY id FOR NO KEY UPDATE";
const IN_PLACE = inSpaces([]).sql;
const BY_IDS = `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE m.id = ANY (?) AND ${IN_PLACE}`;

interface ReadOptions {
  /** Rows that are named by id are locked until the commit, those of one call in the order of their ids. */
  readonly isWriting?: boolean;
  /** Embedding identities that the store goes by; asked from the connection by default. */
  readonly identities?: () => Promise<Identities>;
}

/** Memories as one caller may read them. */
export function memoryReads(
  connection: Reading,
  spacesIn: SpacesIn,
  pendingCounts: PendingCounts,
  { isWriting = false, identities = () => readIdentities(connection) }: ReadOptions = {},
): MemoryRows {
  async function rowsOf(ids: readonly number[], reach: Reach): Promise<MemoryRow[]> {
    const spaces = await spacesIn(reach);
    // Read behind the lock: what was changed while it was waited for is seen.
    const [, rows] = await Promise.all([
      isWriting ? connection.all(LOCK, ids) : undefined,
      connection.all<MemoryRow>(BY_IDS, ids, spaces),
    ]);
    return rows;
  }
  return {
    async byId(id) {
      const [row] = await rowsOf([id], "everywhere");
      return row && toMemory(row);
    },
    async contentOf(id) {
      const sql = `SELECT m.content FROM memories m WHERE m.id = ? AND ${IN_PLACE}`;
      return (await connection.get<{ content: string }>(sql, id, await spacesIn("everywhere")))?.content;
    },
    async byIds(ids, reach = "everywhere") {
      if (ids.length === 0) return [];
      const byId = new Map((await rowsOf(ids, reach)).map((row) => [row.id, toMemory(row)]));
      return [...new Set(ids)].map((id) => byId.get(id)).filter((memory): memory is Memory => memory !== undefined);
    },
    async newest(where: Filter, limit) {
      const { sql, values } = condition(where, await spacesIn(where.reach));
      const rows = await connection.all<MemoryRow>(
        `SELECT ${memoryColumns(POSTGRES)} ${MEMORY_FROM} WHERE ${sql} ORDER BY m.created_at DESC, m.id DESC LIMIT ?`,
        ...values,
        limit,
      );
      return rows.map(toMemory);
    },
    async accesses(ids, now, earlier) {
      return accessesOf(connection, ids, await spacesIn("everywhere"), toSeconds(now), toSeconds(earlier));
    },
    async countPending(reach, identity) {
      const [spaces, { active }] = await Promise.all([spacesIn(reach), identities()]);
      return pendingCounts.count(spaces, { identity, active });
    },
  };
}

interface CountRow {
  readonly id: number;
  readonly d30: number;
  readonly d90: number;
  readonly total: number;
  readonly last_at: number;
  readonly early_d30: number;
  readonly early_d90: number;
  readonly early_total: number;
  readonly early_at: number | null;
}

// The days are counted back from now, for what was up to an earlier moment, too.
const COUNTS = `WITH clock (now, earlier) AS (SELECT ?::bigint, ?::bigint)
  SELECT l.memory_id AS id, max(l.accessed_at) AS last_at, count(*) AS total,
    count(*) FILTER (WHERE l.accessed_at > now - ${30 * DAY_S}) AS d30,
    count(*) FILTER (WHERE l.accessed_at > now - ${90 * DAY_S}) AS d90,
    count(*) FILTER (WHERE l.accessed_at <= earlier AND l.accessed_at > now - ${30 * DAY_S}) AS early_d30,
    count(*) FILTER (WHERE l.accessed_at <= earlier AND l.accessed_at > now - ${90 * DAY_S}) AS early_d90,
    count(*) FILTER (WHERE l.accessed_at <= earlier) AS early_total,
    max(l.accessed_at) FILTER (WHERE l.accessed_at <= earlier) AS early_at
  FROM clock, memory_access_log l JOIN memories m ON m.id = l.memory_id
  WHERE l.memory_id = ANY (?) AND ${IN_PLACE} AND l.accessed_at <= now GROUP BY l.memory_id`;

async function accessesOf(
  connection: Reading,
  ids: readonly number[],
  spaces: readonly Space[],
  nowS: number,
  earlierS: number,
): Promise<ReadonlyMap<number, AccessesTwice>> {
  const rows = await connection.all<CountRow>(COUNTS, nowS, earlierS, ids, spaces);
  return new Map(
    rows.map((row) => [row.id, { ...toAccesses(row.d30, row.d90, row.total, row.last_at), earlier: earlierOf(row) }]),
  );
}

const toAccesses = (within30Days: number, within90Days: number, total: number, lastAt: number): Accesses => ({
  within30Days,
  within90Days,
  total,
  lastAt: toDate(lastAt),
});

const earlierOf = ({ early_d30, early_d90, early_total, early_at }: CountRow): Accesses | undefined =>
  early_at === null ? undefined : toAccesses(early_d30, early_d90, early_total, early_at);

interface VersionRow {
  readonly version: number;
  readonly snapshot: string;
  readonly op: string;
  readonly reason: string | null;
  readonly by: string;
  readonly changed_at: number;
}

// Space of a version by its own visibility: what was private is not shown to those whom a memory was raised to. A snapshot
// may be any text, which has no such pair; within a text of JSON its quotes would be escaped.
const SPACE_THEN = `CASE substring(v.snapshot FROM '"visibility":"(private|project|team)"')
    WHEN 'private' THEN 'm' || m.author_id || coalesce('p' || m.project_id, '')
    WHEN 'project' THEN coalesce('p' || m.project_id, 'team')
    ELSE m.space END`;
const OF_ONE = `FROM memory_versions v JOIN memories m ON m.id = v.memory_id JOIN members a ON a.id = v.author_id
  WHERE v.memory_id = ? AND ${IN_PLACE} AND ${SPACE_THEN} = ANY (?)`;

/** Lists earlier versions of a memory that the caller may open, newest first; none of a closed memory. */
export async function pastVersions(
  connection: Reading,
  spaces: readonly Space[],
  { id, limit, offset }: PastPage,
): Promise<{ total: number; versions: PastVersion[] }> {
  const [counted, rows] = await Promise.all([
    connection.get<{ n: number }>(`SELECT count(*) AS n ${OF_ONE}`, id, spaces, spaces),
    connection.all<VersionRow>(
      `SELECT v.version, v.snapshot, v.op, v.reason, a.name AS by, v.changed_at ${OF_ONE}
       ORDER BY v.version DESC LIMIT ? OFFSET ?`,
      id,
      spaces,
      spaces,
      limit,
      offset,
    ),
  ]);
  return { total: counted?.n ?? 0, versions: rows.map(toVersion) };
}

const CLOSED = `SELECT v.memory_id AS id, max(v.changed_at) AS until FROM memory_versions v JOIN memories m ON m.id = v.memory_id
  WHERE v.memory_id = ANY (?) AND ${IN_PLACE} AND ${SPACE_THEN} <> ALL (?) GROUP BY v.memory_id`;

/** Until when memories that the caller may open now were closed to it. */
export async function closedUntil(
  connection: Reading,
  spaces: readonly Space[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const rows = await connection.all<{ id: number; until: number }>(CLOSED, ids, spaces, spaces);
  return new Map(rows.map(({ id, until }) => [id, toDate(until)]));
}

function toVersion({ version, snapshot, op, reason, by, changed_at }: VersionRow): PastVersion {
  const { content = "", layer, importance, tags = [], metadata, visibility, trigger } = keptIn(snapshot);
  const kept = { content, layer, importance, tags, metadata, visibility, trigger };
  return { version, ...kept, op, reason: reason ?? undefined, by, changedAt: toDate(changed_at) };
}

type KeptColumns = Partial<
  Pick<PastVersion, "content" | "layer" | "importance" | "tags" | "metadata" | "visibility" | "trigger">
>;

/** Parses a version's snapshot. Versions from an archive are shown as they stand. */
function keptIn(snapshot: string): KeptColumns {
  const kept = parsedJson(snapshot);
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : { content: snapshot };
}
