import { DEFAULT_METADATA, type Memory } from "@chest/core/memory";

/** A live memory, made a moment ago, unless said otherwise. */
export function aMemory(over: Partial<Memory> = {}): Memory {
  const now = new Date("2026-11-21T12:00:00Z");
  return {
    id: 1,
    uid: "u-1",
    entity: { id: 1, name: "acme", kind: "project", momentum: 0 },
    layer: "learning",
    content: "a fact",
    contentHash: "0",
    tags: [],
    importance: 0.5,
    visibility: "team",
    space: "team",
    projectId: undefined,
    authorId: 1,
    createdAt: now,
    updatedAt: now,
    lastAccessedAt: undefined,
    accessCount: 0,
    expiresAt: undefined,
    hasOwnExpiry: false,
    archivedAt: undefined,
    archivedReason: undefined,
    supersededById: undefined,
    activation: undefined,
    version: 1,
    ...DEFAULT_METADATA,
    flags: [],
    ...over,
  };
}
