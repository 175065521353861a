/** A cold memory as clustering sees it. */
export interface Clusterable {
  readonly id: number;
  /** Normalised; undefined where it has none of the active model. */
  readonly vector: Float32Array | undefined;
  readonly words: ReadonlySet<string>;
}

const MOST_MEMBERS = 20;
const LEAST_COSINE = 0.75;
const LEAST_SHARED = 0.35;
// Comparing each with each costs the square: those made about the same time are compared.
const WINDOW = 200;

/** Groups of 2 to 20 in which every two are about one topic. What fits nowhere is in none. @param memories oldest first. */
export function clustersOf<T extends Clusterable>(memories: readonly T[]): T[][] {
  const clusters: T[][] = [];
  for (let from = 0; from < memories.length; from += WINDOW) {
    const left = new Set(memories.slice(from, from + WINDOW));
    for (const first of left) {
      left.delete(first);
      const cluster = [first];
      for (const next of left) {
        if (cluster.length === MOST_MEMBERS) break;
        if (cluster.every((member) => isOneTopic(member, next))) cluster.push(next);
      }
      if (cluster.length < 2) continue;
      for (const member of cluster) left.delete(member);
      clusters.push(cluster);
    }
  }
  return clusters;
}

function isOneTopic(a: Clusterable, b: Clusterable): boolean {
  if (a.vector && b.vector) return cosineOf(a.vector, b.vector) >= LEAST_COSINE;
  return jaccard(a.words, b.words) >= LEAST_SHARED;
}

/** Of two normalised vectors. */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  // Even if all were shared, it would be too few.
  if (few.size < LEAST_SHARED * many.size) return 0;
  let shared = 0;
  for (const word of few) if (many.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
