import { type PastPage, type PastVersion, parsedJson, type Space } from "@chest/core";
import type { Reading } from "../database/connection.ts";
import { toDate } from "../database/row-mapping.ts";

interface VersionRow {
  readonly version: number;
  readonly snapshot: string;
  readonly op: string;
  readonly reason: string | null;
  readonly by: string;
  readonly changed_at: number;
}

// Space of a version by its own visibility: what was private is not shown to those whom a memory was raised to.
const SPACE_THEN = `CASE iif(json_valid(v.snapshot), v.snapshot ->> '$.visibility', NULL)
    WHEN 'private' THEN 'm' || m.author_id || coalesce('p' || m.project_id, '')
    WHEN 'project' THEN coalesce('p' || m.project_id, 'team')
    ELSE m.space END`;
const OF_ONE = `FROM memory_versions v JOIN memories m ON m.id = v.memory_id JOIN members a ON a.id = v.author_id
  WHERE v.memory_id = :id AND m.space IN (SELECT value FROM json_each(:open))
    AND ${SPACE_THEN} IN (SELECT value FROM json_each(:open))`;

/** Lists earlier versions of a memory that the caller may open, newest first; none of a closed memory. */
export function pastVersions(
  connection: Reading,
  spaces: readonly Space[],
  { id, limit, offset }: PastPage,
): { total: number; versions: PastVersion[] } {
  const asked = { id, open: JSON.stringify(spaces) };
  const total = connection.get<{ n: number }>(`SELECT count(*) AS n ${OF_ONE}`, asked)?.n ?? 0;
  const rows = connection.all<VersionRow>(
    `SELECT v.version, v.snapshot, v.op, v.reason, a.name AS by, v.changed_at ${OF_ONE} ORDER BY v.version DESC LIMIT :limit OFFSET :offset`,
    { ...asked, limit, offset },
  );
  return { total, versions: rows.map(toVersion) };
}

const CLOSED = `SELECT v.memory_id AS id, max(v.changed_at) AS until FROM memory_versions v JOIN memories m ON m.id = v.memory_id
  WHERE v.memory_id IN (SELECT value FROM json_each(:ids)) AND m.space IN (SELECT value FROM json_each(:open))
    AND ${SPACE_THEN} NOT IN (SELECT value FROM json_each(:open)) GROUP BY v.memory_id`;

/** Until when memories that the caller may open now were closed to it. */
export function closedUntil(
  connection: Reading,
  spaces: readonly Space[],
  ids: readonly number[],
): ReadonlyMap<number, Date> {
  const rows = connection.all<{ id: number; until: number }>(CLOSED, {
    ids: JSON.stringify(ids),
    open: JSON.stringify(spaces),
  });
  return new Map(rows.map(({ id, until }) => [id, toDate(until)]));
}

function toVersion({ version, snapshot, op, reason, by, changed_at }: VersionRow): PastVersion {
  const { content = "", layer, importance, tags = [], metadata, visibility, trigger } = keptIn(snapshot);
  const kept = { content, layer, importance, tags, metadata, visibility, trigger };
  return { version, ...kept, op, reason: reason ?? undefined, by, changedAt: toDate(changed_at) };
}

type VersionSnapshot = Partial<
  Pick<PastVersion, "content" | "layer" | "importance" | "tags" | "metadata" | "visibility" | "trigger">
>;

/** Parses a version's snapshot. Versions from an archive are shown as they stand. */
function keptIn(snapshot: string): VersionSnapshot {
  const kept = parsedJson(snapshot);
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : { content: snapshot };
}
