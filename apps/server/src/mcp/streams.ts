import { ChestError } from "@chest/contracts";

/** Counts, by caller, the answers that wait for their client. */
export interface Streams {
  /** Takes one place. @returns gives it back. @throws `RATE_LIMITED` where none is left. */
  take(asker: string): () => void;
}

export function openStreams(most: number): Streams {
  const open = new Map<string, number>();
  return {
    take(asker) {
      const count = open.get(asker) ?? 0;
      if (count >= most) throw tooMany(most);
      open.set(asker, count + 1);
      return () => {
        const left = (open.get(asker) ?? 1) - 1;
        if (left === 0) open.delete(asker);
        else open.set(asker, left);
      };
    },
  };
}

// How soon a human answers is not known.
const RETRY_MS = 5_000;

const tooMany = (most: number) =>
  new ChestError("RATE_LIMITED", `${most} questions to the human wait already: the most that one token may have`, {
    hint: "answer or cancel one of them, then call again",
    details: { limit: most, retry_after_ms: RETRY_MS },
  });
