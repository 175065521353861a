import type { ChestError } from "@chest/contracts";

/** Counts each caller's open answers. */
export interface Streams {
  /**
   * Takes a slot.
   * @returns a function that releases it.
   * @throws the refusal if no slot is free.
   */
  take(budgetHolder: string): () => void;
}

/** @param refusal builds the error for a caller that exceeds the limit */
export function openStreams(most: number, refusal: (most: number) => ChestError): Streams {
  const open = new Map<string, Set<object>>();
  return {
    take(budgetHolder) {
      const taken = open.get(budgetHolder) ?? new Set();
      if (taken.size >= most) throw refusal(most);
      const place = {};
      open.set(budgetHolder, taken.add(place));
      return () => {
        taken.delete(place);
        if (taken.size === 0) open.delete(budgetHolder);
      };
    },
  };
}
