import { stemmer } from "stemmer";
import { fold } from "../../text/fold.ts";
import { foldHan } from "../../text/fold-han.ts";
import { splitHumps } from "../../text/humps.ts";

/** The shown part of a content, and whether it was shortened. */
export interface Snippet {
  readonly text: string;
  readonly isCut: boolean;
}

interface Hit {
  readonly at: number;
  readonly length: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WHOLE_WORD = /^[\p{L}\p{M}\p{N}]+$/u;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const ENGLISH = /^[a-z]{3,40}$/;
const PREFIX_CHARS = 2;

let graphemes: Intl.Segmenter | undefined;

/**
 * Cuts at most `window` code points around the earliest match of a term, with `…` at each cut; without a match, the
 * beginning.
 */
export function snippet(content: string, terms: readonly string[], window: number): Snippet {
  const points = Array.from(content);
  if (points.length <= window) return { text: content, isCut: false };
  const hit = earliestHit(content, points, terms) ?? { at: 0, length: 0 };
  const centre = hit.at + Math.floor(hit.length / 2);
  const start = Math.min(Math.max(0, centre - Math.floor(window / 2)), points.length - window);
  const [from, to] = betweenGraphemes(content, points, start, start + window);
  const text = points.slice(from, to).join("");
  return { text: `${from > 0 ? "…" : ""}${text}${to < points.length ? "…" : ""}`, isCut: true };
}

/** Returns a function that tells whether a content contains any of the terms, by the rules of the index. */
export function matcherOf(terms: readonly string[]): (content: string) => boolean {
  const { words, texts } = kindsOf(terms);
  const sought = soughtOf(words);
  return (content) => {
    if (wordHit(content, sought)) return true;
    return texts.length > 0 && textHit(Array.from(content, foldPoint).join(""), texts) !== undefined;
  };
}

/**
 * Terms that are words must match whole words; terms of scripts without spaces, or with other characters, match
 * anywhere.
 */
function kindsOf(terms: readonly string[]) {
  const words = terms.filter((term) => WHOLE_WORD.test(term) && !CJK.test(term));
  return { words, texts: terms.filter((term) => !words.includes(term)) };
}

/** Finds the earliest term by the rules of the index, as a word or stem; otherwise as plain letters. */
function earliestHit(content: string, points: readonly string[], terms: readonly string[]): Hit | undefined {
  const folded = points.map(foldPoint);
  const text = folded.join("");
  const { words, texts } = kindsOf(terms);
  const hits = [wordHit(content, soughtOf(words)), textHit(text, texts)].filter((hit) => hit !== undefined);
  return hits.length > 0 ? hits.reduce((a, b) => (b.at < a.at ? b : a)) : textHit(text, words);
}

interface Sought {
  readonly terms: ReadonlySet<string>;
  readonly prefixes: ReadonlySet<string>;
}

const soughtOf = (words: readonly string[]): Sought => ({
  terms: new Set(words),
  prefixes: new Set(words.map((word) => word.slice(0, PREFIX_CHARS))),
});

function wordHit(content: string, { terms, prefixes }: Sought): Hit | undefined {
  for (const match of content.matchAll(WORD)) {
    let at = match.index;
    for (const part of new Set([match[0], ...splitHumps(match[0])])) {
      const word = fold(part.normalize("NFKC"));
      const isHit = prefixes.has(word.slice(0, PREFIX_CHARS)) && (terms.has(word) || terms.has(stemOf(word)));
      if (isHit) return { at: codePoints(content, at), length: Array.from(part).length };
      if (part !== match[0]) at += part.length;
    }
  }
  return undefined;
}

function textHit(text: string, terms: readonly string[]): Hit | undefined {
  let first: { at: number; term: string } | undefined;
  for (const term of terms) {
    const at = term === "" ? -1 : text.indexOf(term);
    if (at >= 0 && (first === undefined || at < first.at)) first = { at, term };
  }
  return first && { at: codePoints(text, first.at), length: Array.from(first.term).length };
}

function stemOf(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}

/** Folds one code point to one code point, so that positions in the folded text are positions in the content. */
function foldPoint(point: string): string {
  if (point < "\x80") return point.toLowerCase();
  const folded = foldHan(fold(point.normalize("NFKC")));
  return Array.from(folded).length === 1 ? folded : point;
}

function codePoints(text: string, units: number): number {
  return Array.from(text.slice(0, units)).length;
}

/** Moves both ends inwards so that no grapheme is split, unless a single one fills the window. */
function betweenGraphemes(content: string, points: readonly string[], start: number, end: number): [number, number] {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const segments = graphemes.segment(content);
  const unitsTo = (count: number) => points.slice(0, count).join("").length;
  const [startUnits, endUnits] = [unitsTo(start), unitsTo(end)];
  const atStart = segments.containing(startUnits);
  const atEnd = segments.containing(endUnits);
  const isStartInside = atStart !== undefined && atStart.index < startUnits;
  const from = isStartInside ? codePoints(content, atStart.index + atStart.segment.length) : start;
  const to = atEnd !== undefined ? codePoints(content, atEnd.index) : end;
  return from < to ? [from, to] : [start, end];
}
