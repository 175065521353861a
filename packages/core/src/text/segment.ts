import { isAscii } from "./characters.ts";
import { cutToken } from "./cut.ts";
import { foldHan } from "./fold-han.ts";
import { koreanStem } from "./korean.ts";
import { wordsOfSpaced } from "./spaced-words.ts";

/** Changes whenever the tokens of a text may change; an index made under another version is rebuilt. */
export const SEGMENTER_VERSION = `3+icu${process.versions.icu}`;

/** Tokens joined by spaces, for an index that splits on spaces only. */
export interface Segments {
  readonly words: string;
  readonly grams: string;
}

/** The tokens of a query, each once, in the order of the text. */
export interface Terms {
  readonly words: readonly string[];
  readonly grams: readonly string[];
}

/** Consecutive characters of one kind of script. */
export interface Run {
  readonly text: string;
  /** Locale of the dictionary for its words; undefined if spaces separate them. */
  readonly locale: string | undefined;
}

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}ー〆\u3099\u309A`;
const HANGUL = String.raw`\p{Script=Hangul}`;
// Thai, Lao, Khmer and similar scripts also write no spaces between words.
const THAI_AND_LIKE = String.raw`\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`;
const RUN = new RegExp(`[${CJK}]+|[${HANGUL}]+|[${THAI_AND_LIKE}]+|[^${CJK}${HANGUL}${THAI_AND_LIKE}]+`, "gu");
const LOCALES: readonly (readonly [firstCharacter: RegExp, locale: (run: string) => string])[] = [
  [new RegExp(`^[${CJK}]`, "u"), (run) => (KANA.test(run) ? "ja" : "zh")],
  [new RegExp(`^[${HANGUL}]`, "u"), () => "ko"],
  [new RegExp(`^[${THAI_AND_LIKE}]`, "u"), () => "th"],
];
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const GRAMMED = new Set(["ja", "zh", "ko"]);
const BASE_WITH_MARKS = /\P{M}\p{M}*/gu;
const INVISIBLE = /\u200D|[\u00AD\u200B\u200C\u2060\uFEFF\p{Variation_Selector}]/gu;

/** Words and CJK grams of a text, the same for every document and query. */
export function segment(text: string): Segments {
  const { words, grams } = tokens(text, singlesAndBigrams);
  return { words: words.join(" "), grams: grams.join(" ") };
}

/** Tokens of a query: grams are bigrams, or the single character of a run of one. */
export function termsOf(text: string): Terms {
  const { words, grams } = tokens(text, bigramsOrLone);
  return { words: [...new Set(words)], grams: [...new Set(grams)] };
}

/** Only the bigrams of a text whose words are known: the dictionary behind {@link termsOf} takes 15 ms on first use. */
export function bigramsOf(text: string): string[] {
  return [...new Set(gramsOfRuns(runsOf(text), bigramsOrLone))];
}

function tokens(text: string, gramsOf: (characters: readonly string[]) => string[]) {
  const runs = runsOf(text);
  return {
    words: wordsOf(runs).flat(),
    grams: gramsOfRuns(runs, gramsOf),
  };
}

function gramsOfRuns(runs: readonly Run[], gramsOf: (characters: readonly string[]) => string[]): string[] {
  return runs.flatMap((run) => (GRAMMED.has(run.locale ?? "") ? gramsOf(charactersOf(run.text)) : []));
}

/** Splits a normalised text, without invisible characters, where the kind of script changes. */
export function runsOf(text: string): Run[] {
  if (isAscii(text)) return text === "" ? [] : [{ text, locale: undefined }];
  const plain = text.toWellFormed().normalize("NFKC").replace(INVISIBLE, "");
  return (plain.match(RUN) ?? []).map((run) => ({ text: run, locale: localeOf(run) }));
}

function localeOf(run: string): string | undefined {
  return LOCALES.find(([firstCharacter]) => firstCharacter.test(run))?.[1](run);
}

function wordsOf(runs: readonly Run[]): string[][] {
  const words: string[][] = [];
  // `Map.groupBy` is missing in Node 20, on which the client runs.
  const byLocale = new Map<string | undefined, number[]>();
  for (const [place, { locale }] of runs.entries()) {
    const places = byLocale.get(locale);
    if (places) places.push(place);
    else byLocale.set(locale, [place]);
  }
  for (const [locale, places] of byLocale) {
    const texts = places.map((place) => runs[place]?.text ?? "");
    const found = locale === undefined ? texts.map(wordsOfSpaced) : dictionaryWords(texts, locale);
    if (locale === "ja" || locale === "zh") for (const [nth, words] of found.entries()) found[nth] = words.map(foldHan);
    if (locale === "ko") for (const [nth, words] of found.entries()) found[nth] = words.flatMap(wordAndStem);
    for (const [nth, place] of places.entries()) words[place] = found[nth] ?? [];
  }
  return words;
}

function wordAndStem(word: string): string[] {
  const stem = koreanStem(word);
  return stem === undefined ? [word] : [word, stem];
}

function charactersOf(run: string): string[] {
  return (foldHan(run).match(BASE_WITH_MARKS) ?? []).map(cutToken);
}

function singlesAndBigrams(characters: readonly string[]): string[] {
  return characters.flatMap((character, at) => {
    const next = characters[at + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

function bigramsOrLone(characters: readonly string[]): string[] {
  if (characters.length < 2) return [...characters];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Words of runs without spaces, from the dictionary of a language. */
function dictionaryWords(runs: readonly string[], locale: string): string[][] {
  const wordsOfRuns: string[][] = [];
  let words: string[] = [];
  // One pass over all runs, because starting a pass costs more than the characters of a run.
  for (const { segment, isWordLike } of segmenter(locale).segment(runs.join("\n"))) {
    if (isWordLike) words.push(cutToken(segment));
    if (segment !== "\n") continue;
    wordsOfRuns.push(words);
    words = [];
  }
  return [...wordsOfRuns, words];
}

function segmenter(locale: string): Intl.Segmenter {
  const known = segmenters.get(locale);
  if (known) return known;
  const made = new Intl.Segmenter(locale, { granularity: "word" });
  segmenters.set(locale, made);
  return made;
}
