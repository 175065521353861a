import type { Filter, Space } from "@chest/core";
import { toSeconds } from "../database/row-mapping.ts";

export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A filter as a predicate over `memories m`: its spaces, its states, and all else that it asks for. */
export function condition(where: Omit<Filter, "reach">, spaces: readonly Space[]): Condition {
  const parts = ["m.space IN (SELECT value FROM json_each(?))"];
  const values: (string | number)[] = [JSON.stringify(spaces)];
  if (!where.withArchived) {
    parts.push(
      where.withSuperseded ? "(m.archived_at IS NULL OR m.superseded_by_id IS NOT NULL)" : "m.archived_at IS NULL",
    );
  } else if (!where.withSuperseded) {
    parts.push("m.superseded_by_id IS NULL");
  }
  if (where.isFlagged !== undefined) parts.push(`m.trust ${where.isFlagged ? "<>" : "="} 'normal'`);
  if (where.isStale !== undefined) {
    parts.push(`${where.isStale ? "" : "NOT "}EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id
      AND (s.status IN ('stale', 'missing')${where.uncheckedSince ? " OR coalesce(s.checked_at, 0) < ?" : ""}))`);
    if (where.uncheckedSince) values.push(toSeconds(where.uncheckedSince));
  }
  if (where.isUnused) parts.push("m.access_count = 0");
  if (where.isOutOfSight) parts.push("m.archived_at IS NOT NULL");
  if (where.layers !== undefined) {
    parts.push("m.layer IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(where.layers));
  }
  if (where.entityIds !== undefined) {
    parts.push("m.entity_id IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(where.entityIds));
  }
  if (where.aboutProject !== undefined) {
    parts.push("m.entity_id NOT IN (SELECT id FROM entities WHERE kind = 'project' AND folded_name <> ?)");
    values.push(where.aboutProject.toLowerCase());
  }
  if (where.fromProject !== undefined) {
    // A team memory from a project that is closed to the caller does not reveal the project.
    parts.push(
      `m.project_id = (SELECT id FROM projects WHERE key = ? UNION ALL SELECT project_id FROM project_aliases WHERE key = ?)
        AND 'p' || m.project_id IN (SELECT value FROM json_each(?))`,
    );
    values.push(where.fromProject, where.fromProject, JSON.stringify(spaces));
  }
  if (where.withoutRules !== undefined) {
    // A turn of a conversation is no capture of a transcript, and has no key of one.
    parts.push(
      `NOT (coalesce(m.capture_key, m.conversation_id) IS NOT NULL AND coalesce(m.source, '') IN (SELECT value FROM json_each(?)))`,
    );
    values.push(JSON.stringify(where.withoutRules));
  }
  if (where.entityName !== undefined) {
    parts.push("m.entity_id IN (SELECT id FROM entities WHERE instr(folded_name, ?) > 0)");
    values.push(where.entityName.toLowerCase());
  }
  for (const tag of where.tags ?? []) {
    parts.push("EXISTS (SELECT 1 FROM memory_tags t WHERE t.memory_id = m.id AND t.tag = ?)");
    values.push(tag);
  }
  if (where.category !== undefined) {
    parts.push("m.category = ?");
    values.push(where.category);
  }
  if (where.withoutCategory !== undefined) {
    parts.push("coalesce(m.category, '') <> ?");
    values.push(where.withoutCategory);
  }
  if (where.author !== undefined) {
    parts.push("m.author_id = (SELECT id FROM members WHERE name = ?)");
    values.push(where.author);
  }
  if (where.visibility !== undefined) {
    parts.push("m.visibility = ?");
    values.push(where.visibility);
  }
  if (where.session !== undefined) {
    parts.push("m.session_id = ?");
    values.push(where.session);
  }
  if (where.since !== undefined) {
    parts.push("m.created_at >= ?");
    values.push(Math.ceil(where.since.getTime() / 1000));
  }
  if (where.until !== undefined) {
    parts.push("m.created_at <= ?");
    values.push(toSeconds(where.until));
  }
  if (where.minImportance !== undefined) {
    parts.push("m.importance >= ?");
    values.push(where.minImportance);
  }
  if (where.minConfidence !== undefined) {
    parts.push("m.confidence >= ?");
    values.push(where.minConfidence);
  }
  return { sql: parts.join(" AND "), values };
}

/** Whether the filter asks for more than spaces and states, which the text index holds itself. */
export const isNarrow = (where: Omit<Filter, "reach">): boolean =>
  [
    where.layers,
    where.entityIds,
    where.entityName,
    where.aboutProject,
    where.fromProject,
    where.withoutRules,
    where.session,
    where.since,
    where.until,
    where.minImportance,
    where.minConfidence,
    where.category,
    where.withoutCategory,
    where.author,
    where.visibility,
    where.isOutOfSight,
    where.isUnused,
    where.isFlagged,
    where.isStale,
  ].some((asked) => asked !== undefined) || (where.tags?.length ?? 0) > 0;
