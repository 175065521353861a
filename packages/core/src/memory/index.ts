export { type CanonicalText, canonical, derived, sha1 } from "./canonical.ts";
export { ENTITY_KINDS, type Entity, type EntityKind } from "./entity.ts";
export { normaliseName } from "./entity-name.ts";
export { flagsOf } from "./flags.ts";
export { expiryOf, LAYER_RULES, LAYERS, type Layer, readLayer } from "./layer.ts";
export type { LinkType } from "./link.ts";
export {
  ARCHIVE_REASONS,
  type ArchiveReason,
  isExpired,
  isOver,
  isProtected,
  LAST_SECOND,
  type Memory,
  PINNED_FROM,
  stateOf,
} from "./memory.ts";
export { type Category, type Certainty, DEFAULT_METADATA, type Metadata, onlyMetadata } from "./metadata.ts";
export { changeWords, type MovedProjects, type PastVersion, RECAPTURE, REWORD } from "./past-version.ts";
export { confirmedConfidence, type NewSource, readSourcePlace, type SourceStatus } from "./source.ts";
export { subjectForTeam, subjectOfPlace } from "./subject.ts";
export { hashtagsOf, uniteTags } from "./tags.ts";
export { LEAST_CONFIDENCE } from "./verdict.ts";
