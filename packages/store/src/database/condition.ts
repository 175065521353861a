import { type Filter, JOURNAL_RULES, type Space } from "@chest/core";
import type { Value } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import { toSeconds } from "./rows.ts";

export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Whether a row of `memories` is of a session's journal, as a predicate. @param of its alias */
export const isOfJournal = (of: string): string =>
  `(${of}.capture_key IS NOT NULL AND coalesce(${of}.source, '') IN (${JOURNAL_RULES.map((rule) => `'${rule}'`).join(", ")}))`;

/** A filter as a predicate over `memories m`: its spaces, its states, and all else that it asks for. */
export function condition(d: Dialect, where: Omit<Filter, "reach">, spaces: readonly Space[]): Condition {
  const parts = [d.isOneOf("m.space")];
  const values: Value[] = [spaces];
  const also = (sql: string, ...more: readonly Value[]) => {
    parts.push(sql);
    values.push(...more);
  };
  if (!where.withArchived)
    also(where.withSuperseded ? "(m.archived_at IS NULL OR m.superseded_by_id IS NOT NULL)" : "m.archived_at IS NULL");
  else if (!where.withSuperseded) also("m.superseded_by_id IS NULL");
  if (where.isFlagged !== undefined) also(`m.trust ${where.isFlagged ? "<>" : "="} 'normal'`);
  if (where.isStale !== undefined) {
    const unchecked = where.uncheckedSince ? [toSeconds(where.uncheckedSince)] : [];
    also(
      `${where.isStale ? "" : "NOT "}EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id
        AND (s.status IN ('stale', 'missing')${where.uncheckedSince ? " OR coalesce(s.checked_at, 0) < ?" : ""}))`,
      ...unchecked,
    );
  }
  if (where.isUnused) also("m.access_count = 0");
  if (where.isOutOfSight) also("m.archived_at IS NOT NULL");
  if (where.layers !== undefined) also(d.isOneOf("m.layer"), where.layers);
  if (where.entityIds !== undefined) also(d.isOneOf("m.entity_id"), where.entityIds);
  if (where.aboutProject !== undefined)
    also(
      "NOT EXISTS (SELECT 1 FROM entities o WHERE o.id = m.entity_id AND o.kind = 'project' AND o.folded_name <> ?)",
      where.aboutProject.toLowerCase(),
    );
  if (where.fromProject !== undefined)
    // A team memory from a project that is closed to the caller does not reveal the project.
    also(
      `m.project_id = (SELECT id FROM projects WHERE key = ? UNION ALL SELECT project_id FROM project_aliases WHERE key = ? LIMIT 1)
        AND ${d.isOneOf("'p' || m.project_id")}`,
      where.fromProject,
      where.fromProject,
      spaces,
    );
  if (where.withoutRules !== undefined)
    // A turn of a conversation is no capture of a transcript, and has no key of one.
    also(
      `NOT (coalesce(m.capture_key, m.conversation_id) IS NOT NULL AND ${d.isOneOf("coalesce(m.source, '')")})`,
      where.withoutRules,
    );
  if (where.entityName !== undefined)
    also(
      `EXISTS (SELECT 1 FROM entities o WHERE o.id = m.entity_id AND ${d.contains("o.folded_name")})`,
      where.entityName.toLowerCase(),
    );
  for (const tag of where.tags ?? [])
    also("EXISTS (SELECT 1 FROM memory_tags t WHERE t.memory_id = m.id AND t.tag = ?)", tag);
  if (where.category !== undefined) also("m.category = ?", where.category);
  if (where.withoutCategory !== undefined) also("coalesce(m.category, '') <> ?", where.withoutCategory);
  if (where.author !== undefined) also("m.author_id = (SELECT id FROM members WHERE name = ?)", where.author);
  if (where.visibility !== undefined) also("m.visibility = ?", where.visibility);
  if (where.session !== undefined) also("m.session_id = ?", where.session);
  if (where.since !== undefined) also("m.created_at >= ?", Math.ceil(where.since.getTime() / 1000));
  if (where.until !== undefined) also("m.created_at <= ?", toSeconds(where.until));
  if (where.minImportance !== undefined) also("m.importance >= ?", where.minImportance);
  if (where.minConfidence !== undefined) also("m.confidence >= ?", where.minConfidence);
  return { sql: parts.join(" AND "), values };
}

/** Whether the filter asks for more than spaces and states, which the text indexes hold themselves. */
export const isNarrow = ({ withArchived: _, withSuperseded: __, tags, ...more }: Omit<Filter, "reach">): boolean =>
  (tags?.length ?? 0) > 0 || Object.entries(more).some(([name, asked]) => name !== "reach" && asked !== undefined);
