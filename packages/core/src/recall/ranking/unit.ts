import { koreanStem } from "../../text/korean.ts";
import { stemOf as englishStem } from "../../text/spaced-words.ts";
import { closedFormOf } from "../../text/spelling.ts";
import type { Synonyms } from "../../text/synonyms.ts";

export interface QueryTerm {
  readonly text: string;
  /** Grams are indexed in separate columns. */
  readonly isGram: boolean;
}

/** One form of a unit: a row matches it if it contains all terms. */
export interface Alternative {
  readonly terms: readonly QueryTerm[];
  /** 1 as typed; less for a stem or a synonym. */
  readonly weight: number;
}

/** A word or expression of a query. A row counts it once, by its best matching form. */
export interface Unit {
  readonly alternatives: readonly Alternative[];
  /** Weight relative to a word; lower for grams, which repeat the words. */
  readonly weight: number;
  /** The code that the question is about: rows without it do not answer. */
  readonly isSought?: boolean;
}

const STEM = 0.9;
const SYNONYM = 0.8;
/** Weight of a word that an unknown one may be a misspelling of. */
const MEANT = 0.6;
/** Limits the lookups, so that a store full of spellings of one word answers as fast as any other. */
const MOST_MEANT = 64;
const GRAM = 0.4;
/** Weight of an error code, a version or a path: they are typed on purpose. */
const EXACT = 2;
/** A ticket or error number; not a version, port or year. */
const CODE = /^(?:\p{L}{1,5}[-_]?\d{4,}|\d{5,})$/u;
/** Name of an error in capitals: `ERR_LEDGER_LOCKED`, `QUOTA_ERROR`. */
const ERROR_NAME =
  /(?<![\p{L}\p{N}_])(?:E|ERR|ERROR)(?:_[A-Z\d]+)+|(?<![\p{L}\p{N}_])[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:ERR|ERROR|EXCEPTION|FAILURE)(?![\p{L}\p{N}_])/gu;
const YEAR = /(?:19|20)\d\d$/;
/** Most other words that a question about its code may have. */
const BESIDE_CODE = 2;
const HEX = /^(0x)?(?=.*\d)([0-9a-f]{4,16})$/;
const VERSION = /^(v?)(\d{1,3}(?:\.\d+)*(?:[-+][a-z\d.+-]+)?)$/;
/** Fragment that the dictionary cuts from a Japanese ending. */
const KANA_FRAGMENT = /^\p{Script=Hiragana}{1,2}$/u;
const FRAGMENT = 0.3;
const IDENTIFIER = /[\p{N}._/:-]/u;

/** Builds the units of a query: each word with its stem and synonyms. */
export function unitsOf(text: string, words: readonly string[], grams: readonly string[], synonyms: Synonyms): Unit[] {
  const phrases = synonyms.phrasesIn(text);
  // A term inside a phrase belongs to the phrase.
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

/** Whether this weight is that of the word itself or a form of it, not of a synonym. */
export const isTyped = (weight: number): boolean => weight >= STEM;

/** Adds words that a misspelt word may have meant. */
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

/** Other spellings of a hexadecimal number, with or without prefix, and of a version, with or without `v`. */
function otherSpellingsOf(word: string, words: readonly string[]): string[] {
  const [, sign = "", digits = ""] = HEX.exec(word) ?? [];
  const [, letter = "", number = ""] = VERSION.exec(word) ?? [];
  // `v2` alone is not a version number; `v8` beside `v8.14.2` is its first part.
  const isOfDots = number.includes(".") || words.some((other) => other.startsWith(`${word}.`));
  return [
    ...(digits === "" ? [] : [sign === "" ? `0x${digits}` : digits]),
    ...(number === "" || (letter !== "" && !isOfDots) ? [] : [letter === "" ? `v${number}` : number]),
  ];
}

/** The term without its joints, and the stem of that. */
function closedFormsOf(word: string): string[] {
  const closed = closedFormOf(word);
  if (closed === undefined) return [];
  const stem = stemOf(closed);
  return stem === undefined ? [closed] : [closed, stem];
}

/** The code of a question that has few other words. */
function soughtIn(words: readonly string[], names: readonly string[]): string | undefined {
  const isCode = (word: string) => names.includes(word) || (CODE.test(word) && !YEAR.test(word));
  const [code, ...others] = words.filter(isCode);
  if (code === undefined || others.some((other) => !code.includes(other))) return undefined;
  const beside = words.filter((word) => !code.includes(word));
  return beside.length <= BESIDE_CODE ? code : undefined;
}

const stemOf = (word: string): string | undefined => englishStem(word) ?? koreanStem(word);

/** Least number of rows for rarity: in a small store a rare word cannot be distinguished from a common one. */
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
 * Weights of the forms of a unit, by their rarity. A synonym never outweighs the typed word, however rare it is: a
 * search for "backup" prefers rows with that word to rows with バックアップ.
 */
export function tellingOf({ weight, alternatives }: Unit, rarities: readonly number[]): number[] {
  const typed = Math.max(...alternatives.map((way, at) => (isTyped(way.weight) ? (rarities[at] ?? 0) : 0)));
  return alternatives.map((way, at) => {
    const rare = rarities[at] ?? 0;
    return weight * way.weight * (isTyped(way.weight) ? rare : Math.min(typed, rare));
  });
}

/** A longer text is a pasted page, mostly a stack trace: no memory covers much of it. */
const MOST_WORDS_OF_QUESTION = 24;
/** Number of rarest units that represent a pasted page. */
const SUBJECTS_OF_PAGE = 12;

/** Unit of a question with its weight. */
interface WeighedUnit {
  readonly weight: number;
  readonly isWord: boolean;
  readonly isSought?: boolean | undefined;
}

/**
 * Weight of the whole question, by which coverage is measured: all units that occur in visible rows, and some that
 * occur in none. Pasted pages contain many of both, but should still find what they share with a memory.
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
