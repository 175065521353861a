import type { Memory } from "../../memory/memory.ts";

/** Kinds of items that wait for a person: the views that list them. */
export const INBOX_KINDS = ["contradictions", "duplicates", "stale", "flagged", "promotions"] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

/**
 * Parts of the inbox: `open` is all that is not snoozed, `waiting` is that without what is assigned to another member,
 * `mine` is what is assigned to the caller, and `snoozed` is the rest.
 */
export const INBOX_PARTS = ["waiting", "open", "mine", "snoozed"] as const;
export type InboxPart = (typeof INBOX_PARTS)[number];

/** An item of the inbox: one memory, or two in either order. */
export interface InboxItem {
  readonly kind: InboxKind;
  readonly memoryId: number;
  /** The other memory of a pair. */
  readonly againstId?: number | undefined;
}

/** Identifies an item among those of its kind. */
export const inboxKey = ({ memoryId, againstId = memoryId }: Omit<InboxItem, "kind">): string =>
  `${Math.max(memoryId, againstId)} ${Math.min(memoryId, againstId)}`;

/** Note on an item: its assignee, the time until which it is put off, and why. */
export interface InboxNote {
  /** Name of the member. */
  readonly assignee: string | undefined;
  /** Time until which the item is put off; it may have passed. */
  readonly snoozedUntil: Date | undefined;
  readonly reason: string | undefined;
  /** Name of the member who noted it last. */
  readonly author: string;
  readonly notedAt: Date;
}

/** Change of a note; undefined leaves a field unchanged, `null` clears it. */
export interface InboxChange {
  readonly assigneeId?: number | null | undefined;
  readonly snoozedUntil?: Date | null | undefined;
  readonly reason?: string | null | undefined;
}

export interface InboxReads {
  /** Notes by `inboxKey`; items without one are left out. The caller must check before who may open the memories. */
  notes(items: readonly InboxItem[]): Promise<ReadonlyMap<string, InboxNote>>;
  /** Memories of the items that wait and that the caller may decide, by item; other items are left out. */
  decidable(items: readonly InboxItem[]): Promise<ReadonlyMap<InboxItem, readonly Memory[]>>;
  /** Members who may open and decide these items, by name: those with tokens of their own, and the caller. */
  deciders(items: ReadonlyMap<InboxItem, readonly Memory[]>): Promise<ReadonlyMap<string, number>>;
}

export interface InboxWrites extends InboxReads {
  /** Changes the notes on items that were found decidable. A note of neither an assignee nor a time is removed. */
  note(items: readonly InboxItem[], change: InboxChange): Promise<void>;
}
