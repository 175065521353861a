import type { paths } from "chest-memory-sdk";
import type { Version, WholeMemory } from "../../api/queries.ts";

/** Fields of a memory that are edited by hand. */
export interface Edits {
  readonly content: string;
  /** Its own title; `""` where it has none. */
  readonly title: string;
  readonly layer: string;
  /** `""` where it has none. */
  readonly category: string;
  readonly certainty: string;
  readonly importance: number;
  readonly tags: readonly string[];
}

/** Edits of a memory, and the state that they began with. */
export interface EditedMemory {
  readonly begun: Edits & { readonly version: number };
  readonly edits: Edits;
}

type Body = paths["/api/tools/chest_update_memory"]["post"]["requestBody"]["content"]["application/json"];
type Changes = Pick<
  Body,
  "content" | "title" | "layer" | "category" | "certainty" | "importance" | "add_tags" | "remove_tags"
>;

export const editsOf = ({ memory, versions }: Pick<WholeMemory, "memory" | "versions">): Edits => ({
  content: memory.content,
  title: versions[0]?.title ?? "",
  layer: memory.layer,
  category: memory.category ?? "",
  certainty: memory.certainty,
  importance: memory.importance,
  tags: memory.tags,
});

/**
 * Arguments of the update from one state of a memory to another. An emptied category is ignored, because the API cannot clear
 * it.
 */
export function changesBetween(before: Edits, after: Edits): Changes {
  const added = after.tags.filter((tag) => !before.tags.includes(tag));
  const removed = before.tags.filter((tag) => !after.tags.includes(tag));
  const importance = Number(after.importance);
  return {
    ...(after.content !== before.content && { content: after.content }),
    ...(after.title !== before.title && { title: after.title }),
    ...(after.layer !== before.layer && { layer: after.layer }),
    ...(after.category !== before.category &&
      after.category !== "" && { category: after.category as NonNullable<Body["category"]> }),
    ...(after.certainty !== before.certainty && { certainty: after.certainty as NonNullable<Body["certainty"]> }),
    ...(importance !== before.importance && { importance }),
    ...(added.length > 0 && { add_tags: added }),
    ...(removed.length > 0 && { remove_tags: removed }),
  };
}

/** Edits that restore an earlier version. A field that the version does not record keeps its present value. */
export const withVersion = (present: Edits, old: Version): Edits => ({
  content: old.content,
  title: old.title === undefined ? present.title : (old.title ?? ""),
  layer: old.layer ?? present.layer,
  category: old.category ?? present.category,
  certainty: old.certainty ?? present.certainty,
  importance: old.importance ?? present.importance,
  tags: old.tags ?? present.tags,
});

export const SHOWN_FIELDS = ["title", "layer", "category", "certainty", "importance", "visibility"] as const;

export interface FieldChange {
  readonly field: (typeof SHOWN_FIELDS)[number];
  readonly before: string | number | undefined;
  readonly after: string | number | undefined;
}

export interface VersionChanges {
  readonly isReworded: boolean;
  readonly fields: readonly FieldChange[];
  readonly tagsAdded: readonly string[];
  readonly tagsRemoved: readonly string[];
}

/** Differences between a version and the one before it. Fields that either version does not record are left out. */
export function versionChanges(before: Version, after: Version): VersionChanges {
  const fields = SHOWN_FIELDS.flatMap((field): FieldChange[] => {
    const [was, is] = [before[field], after[field]];
    if (was === undefined || is === undefined || was === is) return [];
    return [{ field, before: was ?? undefined, after: is ?? undefined }];
  });
  const [had, has] = [before.tags ?? [], after.tags ?? []];
  return {
    isReworded: before.content !== after.content,
    fields,
    tagsAdded: has.filter((tag) => !had.includes(tag)),
    tagsRemoved: had.filter((tag) => !has.includes(tag)),
  };
}
