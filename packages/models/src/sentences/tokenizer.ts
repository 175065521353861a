import { indexTerms, TermIndex } from "../builtin/term-index.ts";
import type { Parts } from "./model-file.ts";

/** Rows of the marks around every text, and of a run of characters that no piece has. */
const [UNKNOWN, BEGIN, END]: readonly [number, number, number] = [0, 1, 2];
/** Rows that no text can name. */
const MARKS = 3;
const BLANK = "▁";

/** The pieces of a text, by their rows. */
export type Tokenizer = (text: string) => number[];

/** Cuts texts as SentencePiece does for a unigram model: into the pieces whose probabilities have the highest product. */
export function tokenizerOf({
  pieces,
  scores,
  unknownScore,
}: Pick<Parts, "pieces" | "scores" | "unknownScore">): Tokenizer {
  const slots = 2 ** Math.ceil(Math.log2(1.5 * scores.length + 1));
  const { fingerprints, rows } = indexTerms(termsOf(pieces), slots, new Uint32Array(slots));
  const index = new TermIndex(fingerprints, rows);
  const longest = longestOf(pieces);
  const known = new Int32Array(longest);

  return (text) => {
    const written = normalised(text);
    const length = written.length;
    if (length === 0) return [BEGIN, END];
    // In 32 bits, as SentencePiece adds them up: another rounding decides near ties otherwise.
    const best = new Float32Array(length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(length + 1);
    const row = new Int32Array(length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, piece: number, score: number) => {
      const sum = Math.fround((best[start] as number) + score);
      if (sum <= (best[end] as number)) return;
      best[end] = sum;
      from[end] = start;
      row[end] = piece;
    };
    for (let at = 0; at < length; at++) {
      if (best[at] === Number.NEGATIVE_INFINITY) continue; // The middle of a surrogate pair.
      const end = Math.min(length, at + longest);
      index.knownFrom(written, at, end, known);
      for (let stop = at + 1; stop <= end; stop++) {
        const piece = known[stop - at - 1] as number;
        if (piece >= 0 && !isInPair(written, stop)) offer(at, stop, piece + MARKS, scores[piece + MARKS] as number);
      }
      const character = isInPair(written, at + 1) ? 2 : 1;
      if ((known[character - 1] as number) < 0) offer(at, at + character, UNKNOWN, unknownScore);
    }
    const ids = [END];
    for (let end = length; end > 0; end = from[end] as number) {
      const piece = row[end] as number;
      if (piece !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(piece);
    }
    ids.push(BEGIN);
    return ids.reverse();
  };
}

/** The pieces that a text can name, one after the other. */
function* termsOf(pieces: string): Generator<string> {
  let row = 0;
  for (let from = 0; from <= pieces.length; row++) {
    const next = pieces.indexOf("\n", from);
    const end = next < 0 ? pieces.length : next;
    if (row >= MARKS) yield pieces.slice(from, end);
    from = end + 1;
  }
}

function longestOf(pieces: string): number {
  let longest = 0;
  for (const { length } of termsOf(pieces)) longest = Math.max(longest, length);
  return longest;
}

/** Ends a list of pieces that is longer than a number of them; the end mark is kept. */
export const cutTo = (ids: readonly number[], most: number): readonly number[] =>
  ids.length <= most ? ids : [...ids.slice(0, most - 1), END];

/** Characters that the model's own normaliser takes for a blank, or leaves as it is. */
const BLANKS = /[\t\n\f\r \u1680\u200b\u200e\u200f\u2028\u2029\u2581\ufeff\ufffd]+/g;
const KEPT = "\uff5e";

/** A text as the pieces are written: compatible characters made one, a mark for every run of blanks and one in front. */
function normalised(text: string): string {
  const folded = text
    .toWellFormed()
    .split(KEPT)
    .map((part) => part.normalize("NFKC"))
    .join(KEPT);
  const words = folded.replace(BLANKS, " ").trim();
  return words === "" ? "" : BLANK + words.replaceAll(" ", BLANK);
}

function isInPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
