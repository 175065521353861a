import { vectorOfBase64 } from "../embedding/vector.ts";
import { hashtagsOf, readTags, uniteTags } from "../memory/tags.ts";
import type { MemoryRecord, SkippedRecord } from "./record.ts";

/** Columns that the record holds in another field, or that only one store uses. */
export const OUTSIDE_COLUMNS: ReadonlySet<string> = new Set([
  "id",
  "uid",
  "shard",
  "entity_id",
  "project_id",
  "author_id",
  "token_id",
  "visibility",
  "space",
  "content",
  "content_hash",
  "content_sha1",
  "segmenter_version",
  "minhash",
  "superseded_by_id",
  "embedding_status",
  "activation_score",
  "activation_computed_at",
  "known_at",
]);

/** Columns that a store decides itself; an archive's values are ignored. */
export const DECIDED_HERE: ReadonlySet<string> = new Set([...OUTSIDE_COLUMNS, "trust", "trust_reasons"]);

/** Drops tags that are not valid here; their words stay in the content. */
export function incomingTags(input: readonly string[]): readonly string[] {
  const tags = input.flatMap((tag) => {
    try {
      return readTags([tag]);
    } catch {
      return hashtagsOf(tag);
    }
  });
  return uniteTags(tags, []).kept;
}

/** Undefined for a vector that does not fit its model: its memory is then embedded again. */
export function incomingVector({ vector, dimensions }: MemoryRecord["vectors"][number]): Float32Array | undefined {
  try {
    return vectorOfBase64(vector, dimensions, "vectors");
  } catch {
    return undefined;
  }
}

export const leftAsPurged = ({ id }: MemoryRecord): SkippedRecord => ({
  type: "left",
  what: "memory",
  ref: id,
  reason: "it was purged here",
  isByDesign: true,
});

/** Reports an entity without memories: there is nothing to keep, and no space to put it in. */
export const leftAsBare = (name: string): SkippedRecord => ({
  type: "left",
  what: "entity name",
  ref: name,
  reason: "no memory is about it",
  isByDesign: true,
});
