export const ENTITY_KINDS = ["person", "company", "project", "concept", "file", "other"] as const;
export type EntityKind = (typeof ENTITY_KINDS)[number];

/** Entity that memories are about. Its kind is part of its identity, and so is its space. */
export interface Entity {
  readonly id: number;
  readonly name: string;
  readonly kind: EntityKind;
  /** E-mail, domain, repository or path; unique in its space where given. */
  readonly canonicalKey: string | undefined;
  /** 0–10, as of its last write. */
  readonly momentum: number;
}
