import type { Statement, Word } from "./statement.ts";

/** A position where two statements differ; one side may be empty. */
export interface Slot {
  readonly a: readonly Word[];
  readonly b: readonly Word[];
  /** Index of the first differing word in either statement. */
  readonly aFrom: number;
  readonly bFrom: number;
}

export interface Alignment {
  /** Weight of the common words, in the same order. */
  readonly shared: number;
  readonly slots: readonly Slot[];
}

/** Aligns two statements along their longest common subsequence of words. */
export function align({ words: a }: Statement, { words: b }: Statement): Alignment {
  const width = b.length + 1;
  const best = new Float64Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [one, other] = [a[i] as Word, b[j] as Word];
      const skipped = Math.max(best[(i + 1) * width + j] ?? 0, best[i * width + j + 1] ?? 0);
      const taken = one.root === other.root ? one.weight + (best[(i + 1) * width + j + 1] ?? 0) : 0;
      best[i * width + j] = Math.max(taken, skipped);
    }
  }
  const slots: Slot[] = [];
  let [i, j, aFrom, bFrom] = [0, 0, 0, 0];
  const close = () => {
    if (i > aFrom || j > bFrom) slots.push({ a: a.slice(aFrom, i), b: b.slice(bFrom, j), aFrom, bFrom });
  };
  while (i < a.length && j < b.length) {
    const [one, other] = [a[i] as Word, b[j] as Word];
    const here = best[i * width + j] ?? 0;
    if (one.root === other.root && here === one.weight + (best[(i + 1) * width + j + 1] ?? 0)) {
      close();
      i += 1;
      j += 1;
      [aFrom, bFrom] = [i, j];
    } else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  [i, j] = [a.length, b.length];
  close();
  return { shared: best[0] ?? 0, slots };
}

export const weightOf = (words: readonly Word[]): number => words.reduce((sum, { weight }) => sum + weight, 0);
