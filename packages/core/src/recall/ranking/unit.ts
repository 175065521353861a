import { koreanStem } from "../../text/korean.ts";
import { stemOf as englishStem } from "../../text/spaced-words.ts";
import { closedFormOf } from "../../text/spelling.ts";
import type { Synonyms } from "../../text/synonyms.ts";

export interface TermAsked {
  readonly text: string;
  /** Grams stand in columns of their own. */
  readonly isGram: boolean;
}

/** One way to say a thing: a row says it so when it holds all of the terms. */
export interface Alternative {
  readonly terms: readonly TermAsked[];
  /** 1 as it was typed; less for a stem or another word for it. */
  readonly weight: number;
}

/** One thing that a query asks for; a row counts it once, by the best of its forms there. */
export interface Unit {
  readonly alternatives: readonly Alternative[];
  /** Share of a whole unit: grams repeat what words said. */
  readonly weight: number;
  /** The code that the whole question is about: without it, nothing is an answer. */
  readonly isSought?: boolean;
}

const STEM = 0.9;
const SYNONYM = 0.8;
/** Weight of a word that an unknown one may be a typo of. */
const MEANT = 0.6;
/** Lookups are bounded: a store filled with spellings of one word answers as fast as any other. */
const MOST_MEANT = 64;
const GRAM = 0.4;
/** An error code, a version, a path: who types one means it. */
const EXACT = 2;
/** A ticket, an error's number: no version, port or year. */
const CODE = /^(?:\p{L}{1,5}[-_]?\d{4,}|\d{5,})$/u;
/** Name of an error in capitals: `ERR_LEDGER_LOCKED`, `QUOTA_ERROR`. */
const ERROR_NAME =
  /(?<![\p{L}\p{N}_])(?:E|ERR|ERROR)(?:_[A-Z\d]+)+|(?<![\p{L}\p{N}_])[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:ERR|ERROR|EXCEPTION|FAILURE)(?![\p{L}\p{N}_])/gu;
const YEAR = /(?:19|20)\d\d$/;
/** Most other words that a question about its code may have. */
const BESIDE_CODE = 2;
const HEX = /^(0x)?(?=.*\d)([0-9a-f]{4,16})$/;
const VERSION = /^(v?)(\d{1,3}(?:\.\d+)*(?:[-+][a-z\d.+-]+)?)$/;
/** Fragment that the dictionary leaves of a Japanese ending. */
const KANA_FRAGMENT = /^\p{Script=Hiragana}{1,2}$/u;
const FRAGMENT = 0.3;
const IDENTIFIER = /[\p{N}._/:-]/u;

/** The units of a query's terms: stems beside the words they are of, other words for the same thing beside both. */
export function unitsOf(text: string, words: readonly string[], grams: readonly string[], synonyms: Synonyms): Unit[] {
  const phrases = synonyms.phrasesIn(text);
  // A term wholly within a phrase is asked for with it.
  const isWithin = (term: string) => phrases.some((phrase) => phrase.isSpaceless && phrase.text.includes(term));
  const stems = new Set(words.map(stemOf).filter((stem) => stem !== undefined));
  const closed = new Set(words.flatMap(closedFormsOf));
  const sought = soughtIn(
    words.filter((word) => !closed.has(word)),
    (text.match(ERROR_NAME) ?? []).map((name) => name.toLowerCase()),
  );
  const units: Unit[] = [];
  for (const word of words) {
    const stem = stemOf(word);
    if (closed.has(word) || (stem === undefined && stems.has(word))) continue; // Comes with its word.
    if (isWithin(word)) continue;
    const others = synonyms.of(word) ?? (stem === undefined ? [] : (synonyms.of(stem) ?? []));
    units.push({
      alternatives: [
        { terms: [{ text: word, isGram: false }], weight: 1 },
        ...(stem === undefined ? [] : [{ terms: [{ text: stem, isGram: false }], weight: STEM }]),
        ...closedFormsOf(word).map((text) => ({ terms: [{ text, isGram: false }], weight: STEM })),
        ...others.map((terms) => ({ terms, weight: SYNONYM })),
        ...otherSpellingsOf(word, words).map((text) => ({ terms: [{ text, isGram: false }], weight: STEM })),
      ],
      weight: weightOf(word),
      ...(word === sought && { isSought: true }),
    });
  }
  for (const gram of grams) {
    if (isWithin(gram)) continue;
    units.push({ alternatives: [{ terms: [{ text: gram, isGram: true }], weight: 1 }], weight: GRAM });
  }
  for (const { own, others } of phrases) {
    units.push({
      alternatives: [
        ...own.map((terms) => ({ terms, weight: 1 })),
        ...others.map((terms) => ({ terms, weight: SYNONYM })),
      ],
      weight: 1,
    });
  }
  return units;
}

/** Whether an alternative of this weight is the word itself or a form of it, not another word for the same. */
export const isTyped = (weight: number): boolean => weight >= STEM;

/** The same thing, said with words that may have been meant by what was typed. */
export function withMeant(unit: Unit, near: (typed: string) => readonly string[]): Unit {
  const typed = unit.alternatives.filter(({ weight, terms }) => isTyped(weight) && terms.length === 1);
  const words = typed.flatMap(({ terms }) => terms.filter(({ isGram }) => !isGram).map(({ text }) => text));
  const meant = [...new Set(words.flatMap(near))].sort().slice(0, MOST_MEANT);
  const guesses = meant.map((text) => ({ terms: [{ text, isGram: false }], weight: MEANT }));
  return { ...unit, alternatives: [...unit.alternatives, ...guesses] };
}

function weightOf(word: string): number {
  if (KANA_FRAGMENT.test(word)) return FRAGMENT;
  return IDENTIFIER.test(word) ? EXACT : 1;
}

/** A hexadecimal number with its sign or without, a version with its letter or without. */
function otherSpellingsOf(word: string, words: readonly string[]): string[] {
  const [, sign = "", digits = ""] = HEX.exec(word) ?? [];
  const [, letter = "", number = ""] = VERSION.exec(word) ?? [];
  // `v2` means no number; `v8` beside `v8.14.2` is its first part.
  const isOfDots = number.includes(".") || words.some((other) => other.startsWith(`${word}.`));
  return [
    ...(digits === "" ? [] : [sign === "" ? `0x${digits}` : digits]),
    ...(number === "" || (letter !== "" && !isOfDots) ? [] : [letter === "" ? `v${number}` : number]),
  ];
}

/** The same in one word, and its stem. */
function closedFormsOf(word: string): string[] {
  const closed = closedFormOf(word);
  if (closed === undefined) return [];
  const stem = stemOf(closed);
  return stem === undefined ? [closed] : [closed, stem];
}

/** The one code among words that say little else. */
function soughtIn(words: readonly string[], names: readonly string[]): string | undefined {
  const isCode = (word: string) => names.includes(word) || (CODE.test(word) && !YEAR.test(word));
  const [code, ...others] = words.filter(isCode);
  if (code === undefined || others.some((other) => !code.includes(other))) return undefined;
  const beside = words.filter((word) => !code.includes(word));
  return beside.length <= BESIDE_CODE ? code : undefined;
}

const stemOf = (word: string): string | undefined => englishStem(word) ?? koreanStem(word);

/** A few rows cannot tell a rare word from a common one: it counts as a part of one of so many. */
const LEAST_ROWS = 100;

/** Weight of a term by the number of visible rows that have it. */
export function rarity(count: number, rows: number): number {
  const others = Math.max(rows, LEAST_ROWS) - count;
  return Math.log(1 + (Math.max(others, 0) + 0.5) / (count + 0.5));
}

const MAX_UNHEARD_OF = 8;
/** Weight of a code that no memory holds, in whole questions: all else is too little then. */
const IN_VAIN = 12;

/**
 * How much each way to say a thing tells, by how rare each is. Another word for it tells no more than the word that was
 * typed, however few wrote it: who asks for "backup" means those who wrote that before those who wrote バックアップ.
 */
export function tellingOf({ weight, alternatives }: Unit, rarities: readonly number[]): number[] {
  const typed = Math.max(...alternatives.map((way, at) => (isTyped(way.weight) ? (rarities[at] ?? 0) : 0)));
  return alternatives.map((way, at) => {
    const rare = rarities[at] ?? 0;
    return weight * way.weight * (isTyped(way.weight) ? rare : Math.min(typed, rare));
  });
}

/** A longer text is no question but a page, mostly a stack trace: no memory covers much of it. */
const MOST_WORDS_OF_QUESTION = 24;
/** Number of rarest units taken as a page's subject. */
const SUBJECTS_OF_PAGE = 12;

/** Unit of a question with its weight. */
interface WeighedUnit {
  readonly weight: number;
  readonly isWord: boolean;
  readonly isSought?: boolean | undefined;
}

/**
 * Weight of a whole question, against which coverage is measured: of all that stands in a row in sight, and of some that
 * stands in none. Pasted pages are full of both, and still ask for what they share with a memory.
 */
export function wholeWeight(known: readonly WeighedUnit[], unheardOf: readonly WeighedUnit[]): number {
  const heaviest = heaviestOf(unheardOf, MAX_UNHEARD_OF);
  const all = [...known, ...heaviest];
  const isPage = [...known, ...unheardOf].filter(({ isWord }) => isWord).length > MOST_WORDS_OF_QUESTION;
  const counted = isPage ? heaviestOf(all, SUBJECTS_OF_PAGE) : all;
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0);
  return unheardOf.some(({ isSought }) => isSought) ? IN_VAIN * whole : whole;
}

function heaviestOf(units: readonly WeighedUnit[], most: number): WeighedUnit[] {
  return units.toSorted((a, b) => b.weight - a.weight).slice(0, most);
}

/** Grams repeat what words say. */
export const isWordUnit = ({ alternatives }: Pick<Unit, "alternatives">): boolean =>
  alternatives.some(({ terms }) => terms.some(({ isGram }) => !isGram));
