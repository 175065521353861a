import { repositoryKeyOf } from "@chest/core/access";
import type { Statements } from "../database/connection.ts";

interface Spelling {
  readonly id: number;
  readonly key: string;
}

// If two projects have spellings of one repository, the closed one gets memories under a third spelling: that gives
// access to no further member.
const KEYS = `SELECT id, key FROM (
    SELECT id, key, access, 0 AS nth FROM projects
    UNION ALL SELECT p.id, a.key, p.access, 1 FROM project_aliases a JOIN projects p ON p.id = a.project_id) k
  ORDER BY access = 'members' DESC, nth, id`;

/** Aliases that are missing, so that the one key of a repository leads to a project that keeps another spelling of it. */
export async function missingSpellings(connection: Pick<Statements, "all">): Promise<readonly Spelling[]> {
  const spellings = await connection.all<Spelling>(KEYS);
  const known = new Set(spellings.map(({ key }) => key));
  return spellings.flatMap(({ id, key: kept }) => {
    const key = repositoryKeyOf(kept);
    if (known.has(key)) return [];
    known.add(key);
    return [{ id, key }];
  });
}

/** Adds them. Two projects that differ in nothing else stay two: only a member joins them. */
export async function addSpellings(connection: Statements): Promise<number> {
  const missing = await missingSpellings(connection);
  for (const { id, key } of missing)
    connection.later("INSERT INTO project_aliases (key, project_id) VALUES (?, ?) ON CONFLICT DO NOTHING", key, id);
  return missing.length;
}
