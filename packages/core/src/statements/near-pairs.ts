import { wordHashes } from "./fingerprint.ts";

/** A memory as far as it is compared with all others. */
export interface Comparable {
  readonly id: number;
  readonly space: string;
  readonly content: string;
  readonly tags: readonly string[];
}

/** Two memories of one space that say much the same, the newer first. */
export interface NearPair {
  readonly ids: readonly [newer: number, older: number];
  /** Share of the words, or of the tags, that stand in both. */
  readonly likeness: number;
  readonly by: "words" | "tags";
}

/** From this share of words on, two say much the same; tags are asked for by the caller. */
export const SAME_WORDS_FROM = 0.7;
const LEAST_TAGS = 2;
const BANDS = 12;
const ROWS = 2;
// What a thousand have in common, such as a tag, tells none of them from the others.
const MOST_TOGETHER = 200;

/** Pairs of near duplicates, the most alike first. @param tagLikeness least share of tags that counts as well */
export function nearPairs(rows: readonly Comparable[], tagLikeness: number): NearPair[] {
  const words = rows.map(({ content }) => wordHashes(content));
  const found = new Map<string, NearPair>();
  const note = (a: number, b: number, likeness: number, by: NearPair["by"]) => {
    const ids = [(rows[a] as Comparable).id, (rows[b] as Comparable).id].sort((x, y) => y - x) as [number, number];
    const known = found.get(ids.join());
    if (!known || known.likeness < likeness) found.set(ids.join(), { ids, likeness, by });
  };
  for (const [a, b] of together(rows, (_, nth) => bandsOf(words[nth] as ReadonlySet<number>))) {
    const likeness = jaccard(words[a] as ReadonlySet<number>, words[b] as ReadonlySet<number>);
    if (likeness >= SAME_WORDS_FROM) note(a, b, likeness, "words");
  }
  for (const [a, b] of together(rows, ({ tags }) => (tags.length < LEAST_TAGS ? [] : tags))) {
    const [one, other] = [new Set(rows[a]?.tags), new Set(rows[b]?.tags)];
    const likeness = jaccard(one, other);
    const shared = [...one].filter((tag) => other.has(tag)).length;
    if (shared >= LEAST_TAGS && likeness >= tagLikeness) note(a, b, likeness, "tags");
  }
  return [...found.values()].sort((x, y) => y.likeness - x.likeness || y.ids[0] - x.ids[0] || y.ids[1] - x.ids[1]);
}

/** Pairs of rows of one space that have a key in common, each once. */
function* together(
  rows: readonly Comparable[],
  keysOf: (row: Comparable, nth: number) => Iterable<string>,
): Generator<[number, number]> {
  const groups = new Map<string, number[]>();
  for (const [nth, row] of rows.entries()) {
    for (const key of keysOf(row, nth)) {
      const group = groups.get(`${row.space}\n${key}`);
      if (group) group.push(nth);
      else groups.set(`${row.space}\n${key}`, [nth]);
    }
  }
  const seen = new Set<number>();
  for (const group of groups.values()) {
    if (group.length > MOST_TOGETHER) continue;
    for (const [at, a] of group.entries()) {
      for (const b of group.slice(at + 1)) {
        const pair = a * rows.length + b;
        if (seen.has(pair)) continue;
        seen.add(pair);
        yield [a, b];
      }
    }
  }
}

/** Least hashes in pairs: texts that share most words share one of them (A. Broder, On the resemblance of documents). */
function bandsOf(words: ReadonlySet<number>): string[] {
  if (words.size < 3) return [];
  const least = new Uint32Array(BANDS * ROWS).fill(0xffffffff);
  for (const word of words) {
    for (let nth = 0; nth < least.length; nth++) {
      const hash = Math.imul(word ^ (nth * 0x9e3779b1), 0x85ebca6b) >>> 0;
      if (hash < (least[nth] as number)) least[nth] = hash;
    }
  }
  return Array.from({ length: BANDS }, (_, band) => [band, ...least.subarray(band * ROWS, (band + 1) * ROWS)].join());
}

function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}
