const SHORTEST = 20;
const LONGEST = 200;
const MEAN = 80;
/** A file of any length ends in a number of chunks that a snapshot can hold. */
const MOST_WINDOWS = 4_000;
const LINES_LOOKED_AT = 4;

/**
 * Cuts lines where their own words say so, so that an insertion moves no boundary far below it.
 * @returns for each window the line after it; the last is `lines.length`.
 */
export function windowEnds(lines: readonly string[]): number[] {
  const scale = Math.max(1, Math.ceil(lines.length / (MOST_WINDOWS * SHORTEST)));
  const [shortest, longest, odds] = [SHORTEST * scale, LONGEST * scale, (MEAN - SHORTEST) * scale];
  const hashes = lines.map(hashOf);
  const ends: number[] = [];
  let start = 0;
  for (let next = 1; next <= lines.length; next++) {
    const length = next - start;
    const isEnd =
      next === lines.length || length >= longest || (length >= shortest && mixed(hashes, next) % odds === 0);
    if (!isEnd) continue;
    ends.push(next);
    start = next;
  }
  return ends;
}

/** FNV-1a. */
function hashOf(line: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Hash of the lines before a place: braces and blank lines alone are alike everywhere. */
function mixed(hashes: readonly number[], next: number): number {
  let hash = 0;
  for (const line of hashes.slice(Math.max(0, next - LINES_LOOKED_AT), next)) {
    hash = Math.imul(hash ^ line, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
