import { hash } from "node:crypto";
import { factsOf } from "../lifecycle/facts.ts";
import { negationsIn } from "../lifecycle/polarity.ts";
import { isSpare, spareWordsFor, wordsIn } from "../recall/ranking/same.ts";
import { spellingOf } from "../statements/one-statement.ts";

/** Part of a tombstone: a hash of a statement's words, and one of its facts. Neither tells a word of it. */
export interface Mark {
  readonly hash: string;
  readonly facts: string;
}

/** Hashes of a whole statement begin with this or a later letter: of its words, or of its spelling. */
export const WHOLE = "w";
const SPELLED = "x";
const LESS_ONE = "l";
/** Sentences that a statement of several is looked for in. */
const MOST_SENTENCES = 4;
/** Longest statement that is known again with a word more or less. */
const MOST_WORDS = 60;
/** Characters of a text in which statements are looked for. */
const MOST_CHARS = 20_000;
const SEPARATOR = /\n|(?<=[.!?]["'”’)]?)\s|(?<=[。！？])|\s\|\s|(?<=[:;：；])\s|(?<=[：；])/gu;
const LIST_MARK = /^\s*(?:(?:[-*•・]|\[[ xX]\])\s+)*/u;
/** Signs that make another statement of the same words. */
const SIGN = /(?:[<>=!]=|=>|[<>=~^%+−])(?=\s?[\p{L}\p{N}])|(?<![\p{L}\p{N}])-(?=\d)/gu;
const EACH = /\beach\b(?! other)/giu;

/**
 * Marks by which a statement is known again: of itself, and of it but for each word that it could do without. They are keyed,
 * so that what was said cannot be tried out without the secret.
 */
export function marksOf(statement: string, secret: string): Mark[] {
  const { words, facts, spares } = readingOf(statement, secret);
  if (words.length === 0) return [];
  const less = spares.map((at) => markOf(LESS_ONE, without(words, at), facts(), secret));
  return [markOf(WHOLE, words, facts(), secret), spelledMark(statement, secret), ...less];
}

/** Marks that a tombstone of this statement, or of nearly the same, may have. */
export function marksLike(statement: string, secret: string): Mark[] {
  const { words, facts, spares } = readingOf(statement, secret);
  if (words.length === 0) return [];
  const whole = [WHOLE, LESS_ONE].map((kind) => markOf(kind, words, facts(), secret));
  const less = spares.map((at) => markOf(WHOLE, without(words, at), facts(), secret));
  return [...whole, spelledMark(statement, secret), ...less];
}

/** Statements that a text consists of: its sentences, and a few that follow each other. */
export const statementsIn = (text: string): string[] => spansIn(text).map(({ from, to }) => text.slice(from, to));

/** Stands where a text quotes what was forgotten. */
export const FORGOTTEN = "[forgotten]";

/** A text without the statements that were forgotten. */
export function withoutForgotten(text: string, secret: string, isForgotten: (mark: Mark) => boolean): string {
  // The longest first: of two sentences that were forgotten as one, none is left.
  const spans = spansIn(text).sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const cut: Span[] = [];
  for (const span of spans) {
    if (cut.some(({ from, to }) => span.from < to && from < span.to)) continue;
    const statement = text.slice(span.from, span.to);
    const { words, facts } = readingOf(statement, secret);
    if (words.length === 0) continue;
    if (isForgotten(markOf(WHOLE, words, facts(), secret)) || isForgotten(spelledMark(statement, secret)))
      cut.push(span);
  }
  return cut
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)}${FORGOTTEN}${rest.slice(to)}`, text);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spansIn(whole: string): Span[] {
  const text = whole.slice(0, MOST_CHARS);
  const sentences: Span[] = [];
  let from = 0;
  const end = (at: number, next: number) => {
    const said = text.slice(from, at);
    const begin = from + (LIST_MARK.exec(said)?.[0].length ?? 0);
    const length = text.slice(begin, at).trimEnd().length;
    if (length > 0) sentences.push({ from: begin, to: begin + length });
    from = next;
  };
  for (const { 0: separator, index } of text.matchAll(SEPARATOR)) end(index, index + separator.length);
  end(text.length, text.length);
  const several = sentences.flatMap((first, at) =>
    sentences.slice(at, at + MOST_SENTENCES).map((last) => ({ from: first.from, to: last.to })),
  );
  const all = sentences.length > MOST_SENTENCES ? [{ from: 0, to: text.length }] : [];
  return [...several, ...all];
}

interface Reading {
  readonly words: readonly string[];
  /** Hash of its facts, made when it is asked for. */
  readonly facts: () => string;
  /** Places of words without which it says the same. */
  readonly spares: readonly number[];
}

function readingOf(statement: string, secret: string): Reading {
  const plain = statement.normalize("NFKC").replace(EACH, "every");
  const words = wordsIn(plain);
  // What asks is another statement.
  if (/[?？]\s*$/.test(plain)) words.push("?");
  const hasSpare = spareWordsFor(words.length - 1) > 0 && words.length <= MOST_WORDS;
  const spares = hasSpare ? [...words.keys()].filter((at) => isLeftOut(words[at] as string)) : [];
  let facts: string | undefined;
  return {
    words,
    spares,
    facts() {
      facts ??= keyed([...factsOf(plain), ...(plain.match(SIGN) ?? [])].join("\n"), secret);
      return facts;
    },
  };
}

const isLeftOut = (word: string): boolean => isSpare(word) && negationsIn(word) === 0;

const without = (words: readonly string[], at: number): string[] => words.filter((_, nth) => nth !== at);

const markOf = (kind: string, words: readonly string[], facts: string, secret: string): Mark => ({
  hash: kind + keyed(words.join("\n"), secret),
  facts,
});

/** In other case a name is another fact, and the statement is the same. */
const spelledMark = (statement: string, secret: string): Mark => ({
  hash: SPELLED + keyed(spellingOf(statement), secret),
  facts: "",
});

/** Hashes a text behind a secret of one length; it is cut, so that no text can be added to what was hashed. */
const keyed = (text: string, secret: string): string => hash("sha256", `${secret}\n${text}`, "base64url").slice(0, 22);
