import type { Space } from "@chest/core/access";
import type { MovedProjects, PastVersion } from "@chest/core/memory";
import type { LinkWrites, PastPage } from "@chest/core/ports";
import { parsedJson } from "@chest/core/text";
import type { Reading } from "../database/connection.ts";
import { statements } from "../database/dialect.ts";
import type { Places } from "../database/places.ts";
import { toDate } from "../database/rows.ts";
import type { Transaction } from "../database/transaction.ts";

interface VersionRow {
  readonly version: number;
  readonly snapshot: string;
  readonly op: string;
  readonly reason: string | null;
  readonly by: string;
  readonly changed_at: number;
}

// Space of a version by its own visibility: what was private, or another project's, is not shown to those whom a memory came to. A snapshot
// may be any text, which has no such pair; within a text of JSON its quotes would be escaped.
const SPACE_THEN = `CASE WHEN v.snapshot LIKE '%"visibility":"private"%' OR v.snapshot LIKE '%"moved":true%' THEN 'm' || m.author_id || coalesce('p' || m.project_id, '')
    WHEN v.snapshot LIKE '%"visibility":"project"%' THEN coalesce('p' || m.project_id, 'team')
    ELSE m.space END`;

const sqlOf = statements((d) => {
  const ofOne = `FROM memory_versions v JOIN memories m ON m.id = v.memory_id JOIN members a ON a.id = v.author_id
    WHERE v.memory_id = ? AND ${d.isOneOf("m.space")} AND ${d.isOneOf(SPACE_THEN)}`;
  return {
    count: `SELECT count(*) AS n ${ofOne}`,
    list: `SELECT v.version, v.snapshot, v.op, v.reason, a.name AS by, v.changed_at ${ofOne}
      ORDER BY v.version DESC LIMIT ? OFFSET ?`,
    closed: `SELECT v.memory_id AS id, max(v.changed_at) AS until FROM memory_versions v JOIN memories m ON m.id = v.memory_id
      WHERE ${d.isOneOf("v.memory_id")} AND ${d.isOneOf("m.space")} AND NOT (${d.isOneOf(SPACE_THEN)}) GROUP BY v.memory_id`,
  };
});

/** Earlier versions of a memory that the caller may open, newest first; empty for a closed memory. */
export async function pastVersions(
  connection: Reading,
  spaces: readonly Space[],
  { id, limit, offset }: PastPage,
  places: Places,
): Promise<{ total: number; versions: PastVersion[] }> {
  const [counted, rows] = await Promise.all([
    connection.get<{ n: number }>(sqlOf(connection.dialect).count, id, spaces, spaces),
    connection.all<VersionRow>(sqlOf(connection.dialect).list, id, spaces, spaces, limit, offset),
  ]);
  return { total: counted?.n ?? 0, versions: rows.map((row) => toVersion(row, keyIn(places, spaces))) };
}

type KeyNow = (key: string | undefined) => string | undefined;

/** Present key of a project; undefined for one that is closed to the caller, or gone. */
const keyIn =
  (places: Places, spaces: readonly Space[]): KeyNow =>
  (key) => {
    const project = key === undefined ? undefined : places.find(key);
    return project && spaces.includes(`p${project.id}`) ? project.key : undefined;
  };

/** Time until which memories were closed to the caller. */
export async function closedUntil(
  connection: Reading,
  spaces: readonly Space[],
  ids: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const rows = await connection.all<{ id: number; until: number }>(
    sqlOf(connection.dialect).closed,
    ids,
    spaces,
    spaces,
  );
  return new Map(rows.map(({ id, until }) => [id, toDate(until)]));
}

function toVersion({ version, snapshot, op, reason, by, changed_at }: VersionRow, keyNow: KeyNow): PastVersion {
  const { content = "", layer, importance, tags = [], metadata, visibility, trigger, projects } = keptIn(snapshot);
  const kept = { content, layer, importance, tags, metadata, visibility, trigger };
  const moved = projects && { from: keyNow(projects.from), to: keyNow(projects.to) };
  return { version, ...kept, op, reason: reason ?? undefined, moved, by, changedAt: toDate(changed_at) };
}

type VersionColumns = Partial<
  Pick<PastVersion, "content" | "layer" | "importance" | "tags" | "metadata" | "visibility" | "trigger">
> & { readonly projects?: MovedProjects };

/** Parses a version's snapshot; imported versions are not validated. */
function keptIn(snapshot: string): VersionColumns {
  const kept = parsedJson(snapshot);
  return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? kept : { content: snapshot };
}

const PUT = `INSERT INTO memory_links (from_id, to_id, type, note, origin, author_id, created_at)
  VALUES (?, ?, ?, ?, 'manual', ?, ?)
  ON CONFLICT (from_id, to_id, type) DO UPDATE SET (note, origin, author_id, created_at) =
    (excluded.note, excluded.origin, excluded.author_id, excluded.created_at)`;

/** Links between memories that callers make. */
export function linkWrites({ connection, caller, nowS, touch }: Transaction): LinkWrites {
  return {
    async put({ id }, { to, type, note }) {
      connection.later(PUT, id, to, type, note ?? null, caller.member.id, nowS);
      touch(id);
    },
    async remove({ id }, { to, type }) {
      const sql = "DELETE FROM memory_links WHERE from_id = ? AND to_id = ? AND type = ?";
      const { changes } = await connection.run(sql, id, to, type);
      if (changes > 0) touch(id);
      return changes > 0;
    },
  };
}
