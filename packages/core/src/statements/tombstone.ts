import { hash } from "node:crypto";
import { spellingOf } from "../statements/one-statement.ts";
import { factsOf } from "./facts.ts";
import { hasForms } from "./plain-form.ts";
import { negationsIn } from "./polarity.ts";
import { isSpare, spareWordsFor, wordsAsWritten, wordsIn } from "./same.ts";

/** Part of a tombstone: a hash of a statement's words, and a hash of its facts. Neither reveals the text. */
export interface Mark {
  readonly hash: string;
  readonly facts: string;
}

/** Hashes of whole statements have this letter or a later one as prefix: one hashes the words, one the spelling. */
export const WHOLE = "w";
const SPELLED = "x";
const LESS_ONE = "l";
/** A statement of several sentences is searched in runs of up to this many sentences. */
const MOST_SENTENCES = 4;
/** Longest statement that is recognised with one word more or less. */
const MOST_WORDS = 60;
/** Characters at the start of a text that are searched for statements. */
const MOST_CHARS = 20_000;
const SEPARATOR = /\n|(?<=[.!?]["'”’)]?)\s|(?<=[。！？])|\s\|\s|(?<=[:;：；])\s|(?<=[：；])/gu;
/** Separates the parts of a text that may quote a statement: also at quotes, commas and dashes. */
const CLAUSE_SEPARATOR = new RegExp(
  String.raw`${SEPARATOR.source}|[,，、]\s?|\s[–—-]\s|["“”«»「」『』()（）]|(?<=^|\s)['‘]|['’](?=[\s.,;:]|$)`,
  "gu",
);
const LIST_MARK = /^\s*(?:(?:[-*•・>]|\[[ xX]\])\s+)*/u;
const OPENING = /^\s*(?:(?:[-*•・>]|\[[ xX]\]|\*\*[^*\n]{1,30}:\*\*|so|and|but|because|that|also|then)\s+)*/iu;
/** Operators that change the meaning of a statement although its words are the same. */
const SIGN = /(?:[<>=!]=|=>|[<>=~^%+−])(?=\s?[\p{L}\p{N}])|(?<![\p{L}\p{N}])-(?=\d)/gu;
const EACH = /\beach\b(?! other)/giu;

/**
 * Marks that recognise a statement again: of the whole, and of each variant without one optional word. They are keyed,
 * so that the text cannot be guessed without the secret.
 */
export function marksOf(statement: string, secret: string): Mark[] {
  const { words, facts, spares } = readingOf(statement, secret);
  if (words.length === 0) return [];
  const less = spares.map((at) => markOf(LESS_ONE, without(words, at), facts(), secret));
  return [markOf(WHOLE, words, facts(), secret), spelledMark(statement, secret), ...less];
}

/** Marks that match the tombstone of this statement, or of one that is nearly the same. */
export function marksLike(statement: string, secret: string): Mark[] {
  const { words, facts, spares } = readingOf(statement, secret);
  if (words.length === 0) return [];
  const whole = [WHOLE, LESS_ONE].map((kind) => markOf(kind, words, facts(), secret));
  const less = spares.map((at) => markOf(WHOLE, without(words, at), facts(), secret));
  return [...whole, ...marksAsWritten(statement, secret), ...less];
}

/** Marks of a statement by its spelling, and by its words as they stand: so an earlier release made those of Japanese and Korean. */
function marksAsWritten(statement: string, secret: string): Mark[] {
  if (!hasForms(statement)) return [spelledMark(statement, secret)];
  const { words, facts } = readingOf(statement, secret, wordsAsWritten);
  return [spelledMark(statement, secret), markOf(WHOLE, words, facts(), secret)];
}

/** Statements in a text: its sentences, and short runs of consecutive sentences. */
export const statementsIn = (text: string): string[] => spansIn(text).map(({ from, to }) => text.slice(from, to));

/** Replaces a forgotten statement inside a longer text. */
const FORGOTTEN = "[forgotten]";

/** Removes forgotten statements from a text. */
export function withoutForgotten(text: string, secret: string, isForgotten: (mark: Mark) => boolean): string {
  // The longest spans first, so that sentences forgotten as one statement disappear together.
  const whole = spansIn(text);
  const clauses = spansIn(text, CLAUSE_SEPARATOR, OPENING);
  const spans = [...whole, ...clauses].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const cut: Span[] = [];
  for (const span of spans) {
    if (cut.some(({ from, to }) => span.from < to && from < span.to)) continue;
    const statement = text.slice(span.from, span.to);
    const { words, facts } = readingOf(statement, secret);
    if (words.length === 0) continue;
    if ([markOf(WHOLE, words, facts(), secret), ...marksAsWritten(statement, secret)].some(isForgotten)) cut.push(span);
  }
  return cut
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)}${FORGOTTEN}${rest.slice(to)}`, text);
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function spansIn(whole: string, separators = SEPARATOR, opening = LIST_MARK): Span[] {
  const text = whole.slice(0, MOST_CHARS);
  const sentences: Span[] = [];
  let from = 0;
  const end = (at: number, next: number) => {
    const said = text.slice(from, at);
    const begin = from + (opening.exec(said)?.[0].length ?? 0);
    const length = text.slice(begin, at).trimEnd().length;
    if (length > 0) sentences.push({ from: begin, to: begin + length });
    from = next;
  };
  for (const { 0: separator, index } of text.matchAll(separators)) end(index, index + separator.length);
  end(text.length, text.length);
  const several = sentences.flatMap((first, at) =>
    sentences.slice(at, at + MOST_SENTENCES).map((last) => ({ from: first.from, to: last.to })),
  );
  const all = sentences.length > MOST_SENTENCES ? [{ from: 0, to: text.length }] : [];
  return [...several, ...all];
}

interface Reading {
  readonly words: readonly string[];
  /** Hash of its facts, computed on demand. */
  readonly facts: () => string;
  /** Positions of words that can be left out without changing the meaning. */
  readonly spares: readonly number[];
}

function readingOf(statement: string, secret: string, wordsOf = wordsIn): Reading {
  // Marks of code around a name are no part of what is said.
  const plain = statement.normalize("NFKC").replaceAll("`", "").replace(EACH, "every");
  const words = wordsOf(plain);
  // A question is a different statement from the same words as a fact.
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

/** A name in another case would be another fact, but the statement is the same. */
const spelledMark = (statement: string, secret: string): Mark => ({
  hash: SPELLED + keyed(spellingOf(statement), secret),
  facts: "",
});

/** Hashes a text after a secret of fixed length. The hash is cut, which prevents length-extension attacks. */
const keyed = (text: string, secret: string): string => hash("sha256", `${secret}\n${text}`, "base64url").slice(0, 22);
