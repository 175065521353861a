import type { Space } from "@chest/core/access";
import { LAYER_RULES, LAYERS, PINNED_FROM } from "@chest/core/memory";
import type { Filter } from "@chest/core/ports";
import { JOURNAL_RULES } from "@chest/core/transcript";
import type { SqlValue } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import { isInPart } from "./inbox-items.ts";
import { PROJECT_OF_KEY, spellingsOf } from "./places.ts";
import { toSeconds } from "./rows.ts";

export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A filter for a statement: spaces are passed separately, and memories expired by `nowS` are left out. */
export interface DatedFilter extends Omit<Filter, "reach"> {
  /** Unix seconds. */
  readonly nowS: number;
  /** Id of the caller's member, whose part of the inbox is asked for. */
  readonly member?: number | undefined;
}

const PROTECTED_LAYERS = LAYERS.filter((layer) => LAYER_RULES[layer].isProtected);

/**
 * FROM and WHERE of the live memories `o` whose own expiry has passed by a bound time in Unix seconds, like `isOver` in
 * core. They are few until the next pass archives them, and have an index of their own.
 */
export const EXPIRED = `FROM memories o WHERE o.expires_explicit AND o.archived_at IS NULL AND o.expires_at <= ?
  AND o.importance < ${PINNED_FROM} AND o.layer NOT IN ('${PROTECTED_LAYERS.join("', '")}')`;

/**
 * Condition that a row of `memories` has not expired by a bound time.
 * @param of its alias
 */
export const isUnexpired = (of: string): string => `${of}.id NOT IN (SELECT o.id ${EXPIRED})`;

/**
 * Condition that a row of `memories` is a session note.
 * @param of its alias
 */
export const isOfJournal = (of: string): string =>
  `(${of}.capture_key IS NOT NULL AND coalesce(${of}.source, '') IN (${JOURNAL_RULES.map((rule) => `'${rule}'`).join(", ")}))`;

/**
 * 1 for a row of `memories` that is a session note, else 0. SQLite has it in `memories_listed`, and finds it there by this text.
 * @param of its alias
 */
export const journalMark = (of: string): string => `(CASE WHEN ${isOfJournal(of)} THEN 1 ELSE 0 END)`;

/**
 * Embedding status of a row of `memories` without a vector: session notes get none, because they are searched by words.
 * @param of its alias
 */
export const statusWithoutVector = (of: string): string =>
  `CASE WHEN ${isOfJournal(of)} THEN 'none' ELSE 'pending' END`;

/** SQL condition over `memories m` for a filter with its spaces and states. */
export function condition(d: Dialect, where: DatedFilter, spaces: readonly Space[]): Condition {
  const parts = [d.isOneOf("m.space")];
  const values: SqlValue[] = [spaces];
  const also = (sql: string, ...more: readonly SqlValue[]) => {
    parts.push(sql);
    values.push(...more);
  };
  if (!where.withArchived)
    also(where.withSuperseded ? "(m.archived_at IS NULL OR m.superseded_by_id IS NOT NULL)" : "m.archived_at IS NULL");
  else if (!where.withSuperseded) also("m.superseded_by_id IS NULL");
  if (!where.withArchived) also(isUnexpired("m"), where.nowS);
  if (where.isFlagged !== undefined) also(`m.trust ${where.isFlagged ? "<>" : "="} 'normal'`);
  // What is stale is few, and leads to its memories; what is not is asked of each.
  if (where.isStale && !where.uncheckedSince)
    also("m.id IN (SELECT s.memory_id FROM memory_sources s WHERE s.status IN ('stale', 'missing'))");
  else if (where.isStale !== undefined) {
    const unchecked = where.uncheckedSince ? [toSeconds(where.uncheckedSince)] : [];
    also(
      `${where.isStale ? "" : "NOT "}EXISTS (SELECT 1 FROM memory_sources s WHERE s.memory_id = m.id
        AND (s.status IN ('stale', 'missing')${where.uncheckedSince ? " OR coalesce(s.checked_at, 0) < ?" : ""}))`,
      ...unchecked,
    );
  }
  if (where.inbox !== undefined) {
    const { kind, part } = where.inbox;
    const inPart = isInPart(kind, { part, member: where.member ?? 0, nowS: where.nowS }, ["m.id", "m.id"]);
    also(inPart.sql, ...inPart.values);
  }
  if (where.isUnused) also("m.access_count = 0");
  if (where.isArchived) also("m.archived_at IS NOT NULL");
  if (where.layers !== undefined) also(d.isOneOf("m.layer"), where.layers);
  if (where.entityIds !== undefined) also(d.isOneOf("m.entity_id"), where.entityIds);
  if (where.aboutProject !== undefined)
    also(
      "NOT EXISTS (SELECT 1 FROM entities o WHERE o.id = m.entity_id AND o.kind = 'project' AND o.folded_name <> ?)",
      where.aboutProject.toLowerCase(),
    );
  if (where.fromProject !== undefined)
    // A team memory from a closed project does not reveal the project.
    also(
      `m.project_id = ${PROJECT_OF_KEY} AND ${d.isOneOf("'p' || m.project_id")}`,
      ...spellingsOf(where.fromProject),
      spaces,
    );
  if (where.withoutRules !== undefined)
    // A conversation turn is not captured from a transcript, and has no capture key.
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
  if (where.holds !== undefined) also(d.contains("m.content"), where.holds);
  if (where.minImportance !== undefined) also("m.importance >= ?", where.minImportance);
  if (where.minConfidence !== undefined) also("m.confidence >= ?", where.minConfidence);
  return { sql: parts.join(" AND "), values };
}

/** Whether a filter has other conditions than spaces, states and time: the text indexes contain spaces and states. */
export const isNarrow = ({ withArchived: _, withSuperseded: __, nowS: ___, tags, ...more }: DatedFilter): boolean =>
  (tags?.length ?? 0) > 0 || Object.values(more).some((query) => query !== undefined);
