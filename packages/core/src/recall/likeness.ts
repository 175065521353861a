import type { Memory } from "../memory/memory.ts";

const BINS = 512;
/** A word counts by its first letters: its endings change, and what is shorter mostly fills. */
const PREFIX = 4;
const FIRST_UNSPACED = 0x2e80;

/** How often each word stands in a content, words thrown together in bins. */
export interface Outline {
  readonly counts: Uint16Array;
  readonly words: number;
}

const outlines = new WeakMap<Memory, Outline>();

/** Outlines that are made room for at a time: a typed array of its own costs each as much as reading a content. */
const AT_ONCE = 32;
let [room, taken] = [new Uint16Array(0), AT_ONCE];

function noCounts(): Uint16Array {
  if (taken === AT_ONCE) [room, taken] = [new Uint16Array(AT_ONCE * BINS), 0];
  taken += 1;
  return room.subarray((taken - 1) * BINS, taken * BINS);
}

/** Costs a nanosecond a character, in any script: what is alike by it is worth a closer look. */
export function outlineOf(memory: Memory): Outline {
  const known = outlines.get(memory);
  if (known) return known;
  const { content } = memory;
  const counts = noCounts();
  let words = 0;
  let hash = 0;
  let length = 0;
  for (let at = 0; at < content.length; at++) {
    const code = content.charCodeAt(at);
    const isUnspaced = code >= FIRST_UNSPACED;
    if (!isUnspaced && !isInWord(code)) {
      length = 0;
      continue;
    }
    length += 1;
    hash = length === 1 || isUnspaced ? code | 0x20 : hash * 31 + (code | 0x20); // Capitals of ASCII as small letters.
    if (!isUnspaced && length !== PREFIX) continue;
    const bin = (hash ^ (hash >> 9)) & (BINS - 1);
    counts[bin] = (counts[bin] as number) + 1;
    words += 1;
    if (isUnspaced) length = 0;
  }
  const outline = { counts, words };
  outlines.set(memory, outline);
  return outline;
}

const isInWord = (code: number): boolean =>
  code >= 0x80 || (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

/** 1 of equal outlines, 0 where nothing is shared: the share of the words that stand in both. */
export function likenessOf(a: Outline, b: Outline): number {
  const all = a.words + b.words;
  let apart = Math.abs(a.words - b.words);
  // Lengths alone say most of it: the bins are compared only where they leave a doubt.
  if (all === 0 || 2 * apart > all) return all === 0 ? 1 : 1 - apart / all;
  apart = 0;
  for (let bin = 0; bin < BINS; bin++) apart += Math.abs((a.counts[bin] as number) - (b.counts[bin] as number));
  return 1 - apart / all;
}
