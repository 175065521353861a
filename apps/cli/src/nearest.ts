/** The known word that is most like the given one; undefined when none is like it. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((word) => ({ word, distance: distanceOf(given, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.ceil(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.word;
}

/** Letters to add, drop or change to get from one word to the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...from.slice(0, 100)].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? to.length;
}
