import { type Filter, LOCAL, MAINTENANCE, SHARED, type Space, stateOf } from "@chest/core";
import { projectIdOf, type State, type StoredMemory } from "./memory-state.ts";

/** Rows that a filter lets through. */
export function passing(state: State, open: readonly Space[], where: Filter): StoredMemory[] {
  return [...state.memories.values()].filter((row) => {
    const condition = stateOf(row);
    if (condition === "archived" && !where.withArchived) return false;
    if (condition === "superseded" && !where.withSuperseded) return false;
    if (where.isFlagged !== undefined && row.flags.length > 0 !== where.isFlagged) return false;
    if (where.isStale !== undefined && isStale(row, where.uncheckedSince) !== where.isStale) return false;
    if (where.isUnused && row.accessCount > 0) return false;
    if (where.isOutOfSight && condition === "live") return false;
    if (where.layers && !where.layers.includes(row.layer)) return false;
    if (where.entityIds && !where.entityIds.includes(row.entity.id)) return false;
    const { name, kind } = row.entity;
    if (
      where.aboutProject !== undefined &&
      kind === "project" &&
      name.toLowerCase() !== where.aboutProject.toLowerCase()
    )
      return false;
    if (where.fromProject !== undefined && !isOf(projectIdOf(state, where.fromProject), row, open)) return false;
    if (where.withoutRules?.some((rule) => rule === row.rule)) return false;
    if (where.session !== undefined && row.session !== where.session) return false;
    if (where.since && row.createdAt < where.since) return false;
    if (where.until && row.createdAt > where.until) return false;
    if (where.minImportance !== undefined && row.importance < where.minImportance) return false;
    if (where.minConfidence !== undefined && row.confidence < where.minConfidence) return false;
    if (where.author !== undefined && nameOf(state, row.authorId) !== where.author) return false;
    if (where.visibility !== undefined && row.visibility !== where.visibility) return false;
    if (where.category !== undefined && row.category !== where.category) return false;
    if (where.withoutCategory !== undefined && row.category === where.withoutCategory) return false;
    if (where.entityName && !row.entity.name.toLowerCase().includes(where.entityName.toLowerCase())) return false;
    return open.includes(row.space) && (where.tags ?? []).every((tag) => row.tags.includes(tag));
  });
}

const isStale = ({ sources = [] }: StoredMemory, since: Date | undefined): boolean =>
  sources.some(
    ({ status, checkedAt }) =>
      status === "stale" || status === "missing" || (since !== undefined && Number(checkedAt ?? 0) < Number(since)),
  );

const isOf = (project: number | undefined, { projectId }: StoredMemory, open: readonly Space[]): boolean =>
  project !== undefined && projectId === project && open.includes(`p${project}`);

/** Names of those who have written, as far as an engine in memory knows them. */
export function nameOf({ members, authors }: State, id: number): string {
  const builtIn = [SHARED, LOCAL, MAINTENANCE].find((member) => member.id === id);
  return builtIn?.name ?? members.get(id)?.name ?? authors.get(id) ?? "";
}
