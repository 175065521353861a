import type { ChestError } from "@chest/contracts";

/** Counts, by caller, the answers that stay open. */
export interface Streams {
  /**
   * Takes a slot.
   * @returns a function that releases it, once.
   * @throws the refusal if none is left.
   */
  take(asker: string): () => void;
}

/** @param refusal of one more than the most that a caller may have */
export function openStreams(most: number, refusal: (most: number) => ChestError): Streams {
  const open = new Map<string, Set<object>>();
  return {
    take(asker) {
      const taken = open.get(asker) ?? new Set();
      if (taken.size >= most) throw refusal(most);
      const place = {};
      open.set(asker, taken.add(place));
      return () => {
        taken.delete(place);
        if (taken.size === 0) open.delete(asker);
      };
    },
  };
}
