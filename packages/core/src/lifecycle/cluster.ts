import { dot } from "../embedding/dot.ts";

/** A cold memory as clustering sees it. */
export interface Clusterable {
  readonly id: number;
  /** Normalised; undefined where it has none of the active model. */
  readonly vector: Float32Array | undefined;
  readonly words: WordPrints;
}

/** The distinct words of a text, each as a number, in order: two lists are held against each other without a look at a letter. */
export type WordPrints = Uint32Array;

const [BASIS, PRIME, BLANK] = [0x811c9dc5, 0x01000193, 0x20];

/** @param words segmented, with blanks between. Two words of one number (FNV-1a) are one in four thousand million. */
export function wordPrints(words: string): WordPrints {
  // A word and its blank take two characters, so a text has at most half as many words as characters.
  const prints = new Uint32Array((words.length >> 1) + 1);
  let [count, print, begun] = [0, BASIS, 0];
  for (let at = 0; at <= words.length; at++) {
    const unit = at < words.length ? words.charCodeAt(at) : BLANK;
    if (unit !== BLANK) print = Math.imul(print ^ unit, PRIME);
    else {
      if (at > begun) prints[count++] = print;
      print = BASIS;
      begun = at + 1;
    }
  }
  return distinct(prints.subarray(0, count).sort());
}

function distinct(sorted: Uint32Array): Uint32Array {
  let count = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) sorted[count++] = sorted[at] as number;
  }
  return sorted.slice(0, count);
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
  if (a.vector && b.vector) return dot(a.vector, b.vector) >= LEAST_COSINE;
  return jaccard(a.words, b.words) >= LEAST_SHARED;
}

export function jaccard(a: WordPrints, b: WordPrints): number {
  // If the lengths differ this much, even sharing all words of the shorter text would be too few.
  if (Math.min(a.length, b.length) < LEAST_SHARED * Math.max(a.length, b.length)) return 0;
  let shared = 0;
  for (let inA = 0, inB = 0; inA < a.length && inB < b.length; ) {
    const apart = (a[inA] as number) - (b[inB] as number);
    if (apart === 0) shared += 1;
    if (apart <= 0) inA += 1;
    if (apart >= 0) inB += 1;
  }
  return shared === 0 ? 0 : shared / (a.length + b.length - shared);
}
