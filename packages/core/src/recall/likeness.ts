import type { Memory } from "../memory/memory.ts";

const BINS = 512;
/** A word counts by its first letters: its endings change, and what is shorter mostly fills. */
const PREFIX = 4;
const FIRST_UNSPACED = 0x2e80;

/** How often each word stands in a content, words thrown together in bins. */
interface Outline {
  /** Where its bins begin in the room. */
  readonly at: number;
  readonly words: number;
}

/** For those of the last few answers: room that is made for each costs as much as reading a content, and again to clear. */
const ROOMS = 512;
const room = new Uint16Array(ROOMS * BINS);
/** Whose outline stands where: what came later has taken the place of what came first. */
const owners: (Outline | undefined)[] = Array.from({ length: ROOMS });
let next = 0;

const outlines = new WeakMap<Memory, Outline>();

/** 1 of contents with equal outlines, 0 where nothing is shared: the share of the words that stand in both. */
export function likenessOf(one: Memory, other: Memory): number {
  const b = outlineOf(other);
  // The outline made last is the last to lose its room.
  const a = outlineOf(one);
  return likenessOfOutlines(a, owners[b.at / BINS] === b ? b : outlineOf(other));
}

/** Costs a nanosecond a character, in any script: what is alike by it is worth a closer look. */
function outlineOf(memory: Memory): Outline {
  const known = outlines.get(memory);
  if (known && owners[known.at / BINS] === known) return known;
  const { content } = memory;
  const from = takeRoom();
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
    const bin = from + ((hash ^ (hash >> 9)) & (BINS - 1));
    room[bin] = (room[bin] as number) + 1;
    words += 1;
    if (isUnspaced) length = 0;
  }
  const outline = { at: from, words };
  owners[from / BINS] = outline;
  outlines.set(memory, outline);
  return outline;
}

function takeRoom(): number {
  const from = next * BINS;
  next = (next + 1) % ROOMS;
  room.fill(0, from, from + BINS);
  return from;
}

const isInWord = (code: number): boolean =>
  code >= 0x80 || (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);

function likenessOfOutlines(a: Outline, b: Outline): number {
  const all = a.words + b.words;
  let apart = Math.abs(a.words - b.words);
  // Lengths alone say most of it: the bins are compared only where they leave a doubt.
  if (all === 0 || 2 * apart > all) return all === 0 ? 1 : 1 - apart / all;
  apart = 0;
  for (let bin = 0; bin < BINS; bin++) apart += Math.abs((room[a.at + bin] as number) - (room[b.at + bin] as number));
  return 1 - apart / all;
}
