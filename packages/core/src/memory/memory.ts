import type { Space, Visibility } from "../access/space.ts";
import type { EntityKind } from "./entity.ts";
import { LAYER_RULES, type Layer } from "./layer.ts";
import type { Metadata } from "./metadata.ts";

/** Second at which the year 9999 ends: a later one fits no date. */
export const LAST_SECOND = 253_402_300_799;

export const ARCHIVE_REASONS = ["forget", "dropped", "expired", "cold", "superseded", "merged", "operator"] as const;
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

/** One memory, as stored. */
export interface Memory extends Metadata {
  readonly id: number;
  readonly uid: string;
  readonly entity: { readonly id: number; readonly name: string; readonly kind: EntityKind; readonly momentum: number };
  readonly layer: Layer;
  readonly content: string;
  readonly contentHash: string;
  readonly tags: readonly string[];
  readonly importance: number;
  readonly visibility: Visibility;
  readonly space: Space;
  /** Visibility that a reviewer still has to approve. */
  readonly requestedVisibility?: "team" | undefined;
  readonly projectId: number | undefined;
  readonly authorId: number;
  /** Session of the agent that stored it, if the agent named one. */
  readonly session?: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastAccessedAt: Date | undefined;
  readonly accessCount: number;
  readonly expiresAt: Date | undefined;
  /** The caller set the expiry; a change of layer keeps it. */
  readonly hasOwnExpiry: boolean;
  readonly archivedAt: Date | undefined;
  readonly archivedReason: ArchiveReason | undefined;
  readonly supersededById: number | undefined;
  /** Signs that it speaks to an agent; none of a text that is as it should be. */
  readonly flags: readonly string[];
  readonly activation: { readonly score: number; readonly computedAt: Date } | undefined;
  readonly version: number;
}

export const PINNED_FROM = 0.9;

export const isPinned = ({ importance }: Pick<Memory, "importance">): boolean => importance >= PINNED_FROM;

/** No sweep, expiry, supersession, consolidation or caller's list archives a protected memory. Derived on every use. */
export function isProtected(memory: Pick<Memory, "importance" | "layer">): boolean {
  return isPinned(memory) || LAYER_RULES[memory.layer].isProtected;
}

export type State = "live" | "archived" | "superseded";

/** Archived and linked to a successor is superseded; archived alone is archived. */
export function stateOf({ archivedAt, supersededById }: Pick<Memory, "archivedAt" | "supersededById">): State {
  if (supersededById !== undefined) return "superseded";
  return archivedAt === undefined ? "live" : "archived";
}

export function isExpired({ expiresAt }: Pick<Memory, "expiresAt">, now: Date): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Whether the expiry that a caller set has passed: from that second it is shown by its id alone. A layer's lifetime is up to a pass. */
export const isOver = (
  memory: Pick<Memory, "expiresAt" | "hasOwnExpiry" | "importance" | "layer">,
  now: Date,
): boolean => memory.hasOwnExpiry && isExpired(memory, now) && !isProtected(memory);

/**
 * Whether two memories are about one subject to a caller that may open both: one entity, or one kind and name in two
 * spaces.
 */
export const isOneSubject = (a: Memory, b: Memory): boolean =>
  a.entity.id === b.entity.id ||
  (a.space !== b.space &&
    a.entity.kind === b.entity.kind &&
    a.entity.name.toLowerCase() === b.entity.name.toLowerCase());
