import { factsOf } from "./facts.ts";
import { wordHashes } from "./fingerprint.ts";
import { bitsIn } from "./likeness.ts";
import { contradictionOf } from "./merge-guard.ts";
import { isOneStatement } from "./one-statement.ts";

/** A memory, reduced to the fields that are compared. */
export interface Comparable {
  readonly id: number;
  readonly space: string;
  /** Id of its entity. */
  readonly entity: number;
  readonly content: string;
  readonly tags: readonly string[];
}

/** Two memories of the same space and subject that say nearly the same, the newer first. */
export interface NearPair {
  readonly ids: readonly [newer: number, older: number];
  /** Share of common words or tags. */
  readonly likeness: number;
  readonly by: "words" | "tags";
}

/** Least share of common words; the caller sets the share of tags. */
const SAME_WORDS_FROM = 0.7;
const LEAST_WORDS = 3;
const LEAST_TAGS = 2;
// A pair of tags on more memories is a topic, and does not make two of them similar.
const MOST_OF_TWO_TAGS = 20;
// Of many memories with a common word, each is compared with the next few, because comparing all would take quadratic
// time.
const NEXT_OF_MANY = 12;

/**
 * Pairs of near duplicates, most similar first.
 * @param tagLikeness least share of common tags that also makes a pair
 */
export function nearPairs(rows: readonly Comparable[], tagLikeness: number): NearPair[] {
  const found = new Map<string, NearPair>();
  const facts = new Map<Comparable, ReadonlySet<string>>();
  const factsIn = (row: Comparable) => {
    const known = facts.get(row) ?? new Set(factsOf(row.content));
    facts.set(row, known);
    return known;
  };
  const note = (a: Comparable, b: Comparable, likeness: number, by: NearPair["by"]) => {
    // Another number or name, or a negation, makes another statement; an addition does not.
    const [one, other] = [factsIn(a), factsIn(b)];
    if (!one.isSubsetOf(other) && !other.isSubsetOf(one)) return;
    if (contradictionOf(a.content, b.content) !== undefined) return;
    const ids = [Math.max(a.id, b.id), Math.min(a.id, b.id)] as const;
    const known = found.get(ids.join());
    if (!known || known.likeness < likeness) found.set(ids.join(), { ids, likeness, by });
  };
  for (const beside of Map.groupBy(rows, ({ space, entity }) => `${space} ${entity}`).values()) {
    for (const [a, b, likeness] of byWords(beside)) note(a, b, likeness, "words");
    for (const [a, b, likeness] of byTags(beside, tagLikeness)) note(a, b, likeness, "tags");
  }
  return [...found.values()].sort((x, y) => y.likeness - x.likeness || y.ids[0] - x.ids[0] || y.ids[1] - x.ids[1]);
}

/**
 * Removes pairs that are already linked, and redundant pairs within a group: forty equal memories give 39 pairs, not
 * 780.
 * @param pairs most similar first
 * @param links between memories
 */
export function withoutSettled(pairs: readonly NearPair[], links: readonly (readonly [number, number])[]): NearPair[] {
  const settled = new Set(links.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]));
  const groups = openGroups();
  return pairs.filter(({ ids: [one, other] }) => !settled.has(`${one} ${other}`) && groups.join(one, other));
}

/** Number of groups in the pairs, which is the number of pending decisions. */
export function groupsIn(pairs: readonly NearPair[]): number {
  const groups = openGroups();
  const members = new Set<number>();
  let joined = 0;
  for (const { ids } of pairs) {
    for (const id of ids) members.add(id);
    joined += Number(groups.join(...ids));
  }
  return members.size - joined;
}

/** Union-find over numbers. */
function openGroups() {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== id) parents.set(id, root);
    return root;
  };
  return {
    /** @returns whether the two groups were separate */
    join(one: number, other: number): boolean {
      const [a, b] = [rootOf(one), rootOf(other)];
      if (a !== b) parents.set(a, b);
      return a !== b;
    },
  };
}

type Alike = readonly [Comparable, Comparable, number];

/**
 * Similar sets share one of their rarest members, so only those are looked up (prefix filter, S. Chaudhuri and others,
 * A primitive operator for similarity joins).
 */
function* byWords(rows: readonly Comparable[]): Generator<Alike> {
  const words = rows.map(({ content }) => wordHashes(content));
  const frequency = new Map<number, number>();
  for (const set of words) for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const holders = new Map<number, number[]>();
  const bits = new Int32Array(BIT_WORDS * rows.length);
  const comparedWith = new Int32Array(rows.length).fill(-1);
  for (const [nth, set] of words.entries()) {
    if (set.size < LEAST_WORDS) continue;
    putBits(bits, nth, set);
    const mostOther = (2 * MOST_APART * set.size) / (1 - MOST_APART);
    for (const word of rarestWords(set, frequency)) {
      if (frequency.get(word) === 1) continue;
      const others = holders.get(word);
      if (!others) {
        holders.set(word, [nth]);
        continue;
      }
      for (let at = Math.max(0, others.length - NEXT_OF_MANY); at < others.length; at++) {
        const other = others[at] as number;
        if (comparedWith[other] === nth) continue;
        comparedWith[other] = nth;
        if (bitsApart(bits, nth, other) > mostOther) continue;
        const likeness = jaccard(set, words[other] as ReadonlySet<number>, SAME_WORDS_FROM);
        if (likeness < SAME_WORDS_FROM) continue;
        const [one, two] = [rows[nth] as Comparable, rows[other] as Comparable];
        yield [one, two, isOneStatement(one.content, two.content) ? 1 : likeness];
      }
      others.push(nth);
    }
  }
}

/** Largest relative difference in size of two similar sets. */
const MOST_APART = (1 - SAME_WORDS_FROM) / (1 + SAME_WORDS_FROM);
const BIT_WORDS = 4;

function putBits(bits: Int32Array, nth: number, set: ReadonlySet<number>): void {
  for (const word of set) {
    const at = BIT_WORDS * nth + ((word >>> 5) & (BIT_WORDS - 1));
    bits[at] = (bits[at] as number) | (1 << (word & 31));
  }
}

/** Number of differing bits: at least as many members are only in one set. */
function bitsApart(bits: Int32Array, a: number, b: number): number {
  let apart = 0;
  for (let at = 0; at < BIT_WORDS; at++)
    apart += bitsIn((bits[BIT_WORDS * a + at] as number) ^ (bits[BIT_WORDS * b + at] as number));
  return apart;
}

/** The rarest words of a set; every similar set shares one of them. */
function rarestWords(set: ReadonlySet<number>, frequency: ReadonlyMap<number, number>): number[] {
  const keys = new Float64Array(set.size);
  let at = 0;
  for (const word of set) keys[at++] = (frequency.get(word) ?? 0) * WORDS + word;
  keys.sort();
  return Array.from(keys.subarray(0, set.size - Math.ceil(SAME_WORDS_FROM * set.size) + 1), (key) => key % WORDS);
}

const WORDS = 2 ** 32;

function* byTags(rows: readonly Comparable[], least: number): Generator<Alike> {
  const frequency = new Map<string, number>();
  for (const { tags } of rows) for (const tag of tags) frequency.set(tag, (frequency.get(tag) ?? 0) + 1);
  const holders = new Map<string, number[]>();
  for (const [nth, { tags }] of rows.entries()) {
    for (const two of twosOf(rarestTags(tags, frequency))) {
      const others = holders.get(two);
      if (others) others.push(nth);
      else holders.set(two, [nth]);
    }
  }
  const seen = new Set<number>();
  for (const holding of holders.values()) {
    if (holding.length > MOST_OF_TWO_TAGS) continue;
    for (const [at, a] of holding.entries()) {
      for (const b of holding.slice(at + 1)) {
        const pair = a * rows.length + b;
        if (seen.has(pair)) continue;
        seen.add(pair);
        const [one, other] = [rows[a] as Comparable, rows[b] as Comparable];
        const likeness = jaccard(new Set(one.tags), new Set(other.tags), least);
        if (likeness >= least) yield [one, other, likeness];
      }
    }
  }
}

const MOST_TAGS_PAIRED = 6;

/** All pairs of some tags, each in sorted order. */
function twosOf(tags: readonly string[]): string[] {
  if (tags.length < LEAST_TAGS) return [];
  const sorted = tags.toSorted();
  return sorted.flatMap((tag, at) => sorted.slice(at + 1).map((other) => `${tag}\n${other}`));
}

/** The rarest tags first, in the same order for all sets. */
function rarestTags(tags: readonly string[], frequency: ReadonlyMap<string, number>): string[] {
  if (tags.length <= MOST_TAGS_PAIRED) return [...tags];
  const times = (tag: string) => frequency.get(tag) ?? 0;
  return tags.toSorted((a, b) => times(a) - times(b) || (a < b ? -1 : 1)).slice(0, MOST_TAGS_PAIRED);
}

/** Jaccard similarity; 0 if the sizes alone keep it below the threshold. */
function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>, least: number): number {
  if (Math.min(a.size, b.size) < least * Math.max(a.size, b.size)) return 0;
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
