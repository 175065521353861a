import { bitsIn, FIRST_UNSPACED, isInWord } from "./likeness.ts";

/** Length of a fingerprint in 32-bit words: 512 bits. */
export const FINGERPRINT_LENGTH = 16;
const BITS = FINGERPRINT_LENGTH * 32;
/** Words are compared by their first letters, because endings vary. */
const PREFIX = 6;
/** Share of the shorter text's words from which two texts are worth comparing. */
const WORTH_READING = 0.4;

/**
 * Hashes of the distinct words of a text; for scripts without spaces, of pairs of characters. Takes a nanosecond or two
 * a character.
 */
export function wordHashes(text: string): Set<number> {
  const found = new Set<number>();
  let hash = 0;
  let length = 0;
  let before = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    const isUnspaced = code >= FIRST_UNSPACED;
    if (!isUnspaced && isInWord(code)) {
      length += 1;
      before = 0;
      if (length <= PREFIX) hash = Math.imul(hash ^ (code | 0x20), 0x01000193) + length;
      continue;
    }
    if (length > 1 || (length === 1 && hash !== 0)) found.add(mixed(hash));
    [hash, length] = [0, 0];
    if (isUnspaced && before !== 0) found.add(mixed(before * 31 + code));
    before = isUnspaced ? code : 0;
  }
  return found;
}

/** Bit set of a text's words: texts with common words have common bits. */
export function fingerprintOf(text: string): Int32Array {
  const bits = new Int32Array(FINGERPRINT_LENGTH);
  for (const hash of wordHashes(text)) {
    const bit = hash & (BITS - 1);
    bits[bit >> 5] = (bits[bit >> 5] as number) | (1 << (bit & 31));
  }
  return bits;
}

/** Number of set bits. */
export function sizeOf(bits: Int32Array): number {
  let size = 0;
  for (let at = 0; at < FINGERPRINT_LENGTH; at++) size += bitsIn(bits[at] as number);
  return size;
}

/**
 * Share of common bits relative to the shorter text; 0 if it is too small for a comparison.
 * @param from offset of the other fingerprint
 * @param fewer set bits of the smaller one
 */
export function sharedBits(
  one: Int32Array,
  other: Int32Array,
  from = 0,
  fewer = Math.min(sizeOf(one), sizeOf(other)),
): number {
  let shared = 0;
  for (let at = 0; at < FINGERPRINT_LENGTH; at++) shared += bitsIn((one[at] as number) & (other[from + at] as number));
  const of = Math.max(1, fewer);
  const share = shared / of;
  return isEnough(shared, of) && share >= WORTH_READING ? share : 0;
}

/** One common word is not enough, unless a text has only two. */
export const isEnough = (shared: number, of: number): boolean => shared >= (of === 2 ? 1 : 2);

/** The low bits depend on all of them (finalizer of MurmurHash3, A. Appleby). */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (once ^ (once >>> 13)) >>> 0;
}
