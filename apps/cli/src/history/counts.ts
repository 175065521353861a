export type Counts = Readonly<Record<string, number | undefined>>;

/** Adds up two tables of counts. */
export function added(one: Counts, other: Counts): Record<string, number> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...names].map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]));
}

export const totalOf = (counts: Counts): number =>
  Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);

/** Lists the most frequent first: `too_short 12, aside 3`. */
export const countsText = (counts: Counts, wordFor: (name: string) => string = (name) => name): string =>
  Object.entries(counts)
    .flatMap(([name, count]) => (count ? [[name, count] as const] : []))
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${wordFor(name)} ${count}`)
    .join(", ");
