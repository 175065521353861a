import { stemmer } from "stemmer";
import { conflictOf, haveSameFacts } from "../../lifecycle/merge-guard.ts";
import { isOneSubject, type Memory, stateOf } from "../../memory/memory.ts";
import { isOneStatement } from "../../statements/one-statement.ts";
import { readSentences, restates, type Sentence } from "../../statements/restatement.ts";
import { fold } from "../../text/fold.ts";
import { likenessOf } from "./likeness.ts";

/** Least likeness at which two contents are compared word by word. */
const WORTH_READING = 0.6;
/** Likeness from which two nearly say the same: seven words in ten of both together stand in both. */
const ALIKE = 0.82;
/** One word in so many may be there on one side alone. */
const WORDS_PER_EXTRA = 10;

const ENGLISH = /^[a-z]{3,40}$/;

/** Words that change nothing in a statement. Prepositions are not among them: `from` here and `to` there do. */
const FILLERS = new Set(
  "a an the is are was were be been being am do does did will that this these those our we it its also just please".split(
    " ",
  ),
);
/** Words that turn a statement into another one. */
const QUALIFIERS = new Set(
  (
    "if unless until only except but when while once again rarely hardly seldom sometimes often maybe may might should " +
    "almost nearly partly partially formerly former instead otherwise or least most"
  )
    .split(" ")
    .map(rootOf),
);
// Text written without blanks is compared by its characters, and one more of them is another word.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])[\p{L}\p{M}\p{N}_])+/gu;

/**
 * How far two memories about one subject say the same: `one` is one statement in another spelling, `restated` the same
 * words but for inflection, filler and at most one word in ten that one of them adds, or in another order, voice or
 * form. `near` is said but for a word or two. Any contradiction keeps them apart.
 */
type Sameness = "one" | "restated" | "near";

/** Judges two memories; undefined where they are two. @param least of which nothing less is looked for */
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
  // In the same words none can deny the other.
  if (few.length === many.length) return haveSameFacts(a.content, b.content);
  return conflictOf(a.content, b.content) === undefined;
}

/** Words of a content, and its sentences once they are asked for. */
interface Reading {
  readonly words: readonly string[];
  sentences?: readonly Sentence[];
}

// Each of many near-equal rows is held against all others: read anew for each pair, they take most of a question's time.
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

/** Roots of the words that a content is compared by, in their order, without those that change nothing. */
export function wordsIn(content: string): string[] {
  const words = fold(content.normalize("NFKC")).match(WORD) ?? [];
  return words.filter((word) => !FILLERS.has(word)).map(rootOf);
}

function rootOf(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}

/** How many words a statement of so many may have beside those of another that says the same. */
export const spareWordsFor = (words: number): number => Math.floor(words / WORDS_PER_EXTRA);

/** Whether a statement may have this word, by its root, and say the same without it. */
export const isSpare = (root: string): boolean => /^[a-z]+$/.test(root) && !QUALIFIERS.has(root);

/** Whether the words of one are all in the other, in their order, with next to nothing between them. */
function isWithin(few: readonly string[], many: readonly string[]): boolean {
  if (few.length === 0 || many.length - few.length > spareWordsFor(few.length)) return false;
  let at = 0;
  for (const word of many) {
    if (word === few[at]) at += 1;
    else if (!isSpare(word)) return false;
  }
  return at === few.length;
}
