import { stemmer } from "stemmer";
import { isOneSubject, type Memory, stateOf } from "../memory/memory.ts";
import { fold } from "../text/fold.ts";
import { likenessOf } from "./likeness.ts";
import { conflictOf, haveSameFacts } from "./merge-guard.ts";
import { isOneStatement } from "./one-statement.ts";
import { inOneForm } from "./plain-form.ts";
import { readSentences, restates, type Sentence } from "./restatement.ts";

/** Least similarity at which two contents are compared word by word. */
const WORTH_READING = 0.6;
/** Similarity from which two contents nearly say the same: seven in ten of their distinct words are common. */
const ALIKE = 0.82;
/** One extra word is allowed per this number of words. */
const WORDS_PER_EXTRA = 10;

const ENGLISH = /^[a-z]{3,40}$/;

/** Words that do not change a statement. Prepositions do: compare `from` and `to`. */
const FILLERS = new Set(
  "a an the is are was were be been being am do does did will that this these those our we it its also just please".split(
    " ",
  ),
);
/** Words that change the meaning of a statement. */
const QUALIFIERS = new Set(
  (
    "if unless until only except but when while once again rarely hardly seldom sometimes often maybe may might should " +
    "almost nearly partly partially formerly former instead otherwise or least most"
  )
    .split(" ")
    .map(rootOf),
);
// In text without spaces each character counts as a word.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])[\p{L}\p{M}\p{N}_])+/gu;

/**
 * Degree to which two memories of a subject say the same. `one`: the same statement in another spelling. `restated`:
 * the same words except for inflection, filler words and one added word in ten, or in another order, voice or form.
 * `near`: one or two other words. A contradiction excludes all three.
 */
type Sameness = "one" | "restated" | "near";

/**
 * Compares two memories; undefined if they differ.
 * @param least lowest degree to look for
 */
export function samenessOf(a: Memory, b: Memory, least: Sameness = "restated"): Sameness | undefined {
  if (!isOneSubject(a, b) || stateOf(a) !== stateOf(b)) return undefined;
  if (a.contentHash === b.contentHash || isOneStatement(a.content, b.content)) return "one";
  if (least === "one") return undefined;
  const likeness = likenessOf(a, b);
  if (likeness < WORTH_READING) return undefined;
  if (isRestated(a, b)) return "restated";
  const isNear = least === "near" && likeness >= ALIKE && conflictOf(a.content, b.content) === undefined;
  return isNear ? "near" : undefined;
}

function isRestated(a: Memory, b: Memory): boolean {
  const [one, other] = [readingOf(a), readingOf(b)];
  const [few, many] = one.words.length <= other.words.length ? [one.words, other.words] : [other.words, one.words];
  if (!isWithin(few, many)) return restates(sentencesIn(one, a), sentencesIn(other, b));
  // With the same words, neither can negate the other.
  if (few.length === many.length) return haveSameFacts(a.content, b.content);
  return conflictOf(a.content, b.content) === undefined;
}

/** Words of a content, and its sentences on demand. */
interface Reading {
  readonly words: readonly string[];
  sentences?: readonly Sentence[];
}

// Cached, because each of many similar rows is compared with all others: parsing again for every pair would dominate a
// recall.
const readings = new WeakMap<Memory, Reading>();

function readingOf(memory: Memory): Reading {
  const reading = readings.get(memory) ?? { words: wordsIn(memory.content) };
  readings.set(memory, reading);
  return reading;
}

function sentencesIn(reading: Reading, { content }: Memory): readonly Sentence[] {
  reading.sentences ??= readSentences(content);
  return reading.sentences;
}

/** Stems of the words that are compared, in order, without filler words; of Japanese and Korean in one form. */
export const wordsIn = (content: string): string[] => wordsAsWritten(inOneForm(content.normalize("NFKC")));

/** The same without regard to forms. */
export function wordsAsWritten(content: string): string[] {
  const words = fold(content.normalize("NFKC")).match(WORD) ?? [];
  return words.filter((word) => !FILLERS.has(word)).map(rootOf);
}

function rootOf(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}

/** Number of extra words that a statement of this length may have. */
export const spareWordsFor = (words: number): number => Math.floor(words / WORDS_PER_EXTRA);

/** Whether a statement means the same without this word. */
export const isSpare = (root: string): boolean => /^[a-z]+$/.test(root) && !QUALIFIERS.has(root);

/** Whether one word list contains the other in order, with next to nothing between. */
function isWithin(few: readonly string[], many: readonly string[]): boolean {
  if (few.length === 0 || many.length - few.length > spareWordsFor(few.length)) return false;
  let at = 0;
  for (const word of many) {
    if (word === few[at]) at += 1;
    else if (!isSpare(word)) return false;
  }
  return at === few.length;
}
