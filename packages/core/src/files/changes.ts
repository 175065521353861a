import type { Chunk } from "./chunk.ts";

/**
 * Changes between two readings of a file. The new file is its changed and its kept chunks, in the order of their
 * lines.
 */
export interface Changes {
  readonly changed: readonly Changed[];
  /** Runs of chunks that are the same, by lines of the new file and of the old. */
  readonly kept: readonly UnchangedRange[];
  /** Chunks of the old file that have no successor. */
  readonly removed: readonly Chunk[];
  readonly keptChunks: number;
}

export interface Changed {
  readonly chunk: Chunk;
  /** The old chunk with the same id, which it replaces; undefined if it is new. */
  readonly before: Chunk | undefined;
}

export interface UnchangedRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly oldStartLine: number;
  readonly oldEndLine: number;
}

/** Compares two files as sequences: what only moved is gone from one place and new in another. */
export function changesBetween(before: readonly Chunk[], after: readonly Chunk[]): Changes {
  const pairs = commonSequence(
    before.map(({ hash }) => hash),
    after.map(({ hash }) => hash),
  );
  const keptBefore = new Set(pairs.map(([one]) => one));
  const keptAfter = new Set(pairs.map(([, other]) => other));
  const gone = new Map(before.flatMap((chunk, at) => (keptBefore.has(at) ? [] : [[chunk.id, chunk] as const])));
  const changed = after.flatMap((chunk, at) => {
    if (keptAfter.has(at)) return [];
    const old = gone.get(chunk.id);
    gone.delete(chunk.id);
    return [{ chunk, before: old }];
  });
  return { changed, kept: runs(pairs, before, after), removed: [...gone.values()], keptChunks: pairs.length };
}

type Pair = readonly [before: number, after: number];

function runs(pairs: readonly Pair[], before: readonly Chunk[], after: readonly Chunk[]): UnchangedRange[] {
  const kept: UnchangedRange[] = [];
  let last: Pair | undefined;
  for (const pair of pairs) {
    const [old, now] = [before[pair[0]], after[pair[1]]];
    if (!old || !now) continue;
    const run = last && last[0] + 1 === pair[0] && last[1] + 1 === pair[1] ? kept.pop() : undefined;
    kept.push({
      startLine: run?.startLine ?? now.startLine,
      endLine: now.endLine,
      oldStartLine: run?.oldStartLine ?? old.startLine,
      oldEndLine: old.endLine,
    });
    last = pair;
  }
  return kept;
}

/** A chunk that is everywhere (a blank line, a brace) would be compared with every other. */
const MOST_PLACES = 50;

/** A longest common subsequence, by Hunt and Szymanski: quick where most chunks are unique. */
function commonSequence(before: readonly string[], after: readonly string[]): Pair[] {
  const places = new Map<string, number[]>();
  for (const [at, hash] of before.entries()) {
    const known = places.get(hash) ?? [];
    if (known.length < MOST_PLACES) places.set(hash, [...known, at]);
  }
  const ends: Link[] = [];
  for (const [now, hash] of after.entries()) {
    // Descending, so that one chunk of the new file extends a sequence once.
    for (const old of (places.get(hash) ?? []).toReversed()) {
      const at = firstNotBelow(ends, old);
      ends[at] = { old, now, previous: ends[at - 1] };
    }
  }
  const pairs: Pair[] = [];
  for (let link = ends.at(-1); link; link = link.previous) pairs.push([link.old, link.now]);
  return pairs.reverse();
}

interface Link {
  readonly old: number;
  readonly now: number;
  readonly previous: Link | undefined;
}

function firstNotBelow(ends: readonly Link[], old: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle]?.old ?? 0) < old) low = middle + 1;
    else high = middle;
  }
  return low;
}
