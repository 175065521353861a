/** Finds the known word that is most similar to a typed one; undefined when none is similar. */
export function nearest(typed: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.ceil(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}

/** Counts the letters to add, drop, change or swap with a neighbour to get from one word to the other. */
function distanceOf(from: string, to: string): number {
  const letters = [...from.slice(0, 100)];
  const others = [...to];
  let before: number[] = [];
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [i, letter] of letters.entries()) {
    const next = [i + 1];
    for (const [j, other] of others.entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = letter === others[j - 1] && letters[i - 1] === other;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(changed, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? to.length;
}
