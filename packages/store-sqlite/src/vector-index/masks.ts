import { KINDS, type Segment, SLOTS } from "./segment.ts";
import { kindsOf, type Marker, marker, type Selection } from "./selection.ts";

/** Number of cached selections: one bit per vector each. */
const MOST_KEPT = 16;

interface CachedMask {
  /** `changes` of the segment, and its used slots, when the mask was made. */
  readonly changes: number;
  readonly slots: number;
  readonly marked: number;
  readonly words: Uint32Array;
}

/**
 * Cache of one thread's recent masks: a repeated query in the same spaces reuses those of unchanged segments.
 * Selections by id or entity are not cached.
 */
export class Masks {
  /** Masks by identity and selection, in the order of their last use. */
  readonly #kept = new Map<string, Map<Segment, CachedMask>>();

  of(identityId: number, selection: Selection): Marker {
    if (selection.entityIds !== undefined || selection.memoryIds !== undefined) return marker(selection);
    let mark: Marker | undefined;
    const kept = this.#of(keyOf(identityId, selection));
    return (segment, slots, mask) => {
      const before = kept.get(segment);
      const changes = segment.changes[0] as number;
      if (before?.changes === changes && before.slots === slots) {
        mask.set(before.words);
        return before.marked;
      }
      mark ??= marker(selection);
      const marked = mark(segment, slots, mask);
      kept.set(segment, { changes, slots, marked, words: mask.slice(0, SLOTS / 32) });
      return marked;
    };
  }

  #of(key: string): Map<Segment, CachedMask> {
    const kept = this.#kept.get(key) ?? new Map<Segment, CachedMask>();
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}

const keyOf = (identityId: number, { where, spaces }: Selection): string =>
  JSON.stringify([identityId, [...kindsOf(where).subarray(0, KINDS)], spaces]);
