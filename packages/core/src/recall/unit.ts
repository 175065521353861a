import { koreanStem } from "../text/korean.ts";
import { stemOf as englishStem } from "../text/spaced-words.ts";
import type { Synonyms } from "../text/synonyms.ts";

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

/** One thing that a query asks for; a row has it once, in whichever way it says it best. */
export interface Unit {
  readonly alternatives: readonly Alternative[];
  /** Share of a whole unit: grams repeat what words said. */
  readonly weight: number;
  /** The code that the whole question is about: without it, nothing is an answer. */
  readonly isSought?: boolean;
}

const STEM = 0.9;
const SYNONYM = 0.8;
const GRAM = 0.4;
/** An error code, a version, a path: who types one means it. */
const EXACT = 2;
/** A ticket, an error's number: no version, port or year. */
const CODE = /^(?:\p{L}{1,5}[-_]?\d{4,}|\d{5,})$/u;
const YEAR = /(?:19|20)\d\d$/;
/** With so many other words at most, a question is about its code. */
const BESIDE_CODE = 2;
const HEX = /^(0x)?(?=.*\d)([0-9a-f]{4,16})$/;
/** What the dictionary leaves of Japanese endings. */
const KANA_FRAGMENT = /^\p{Script=Hiragana}{1,2}$/u;
const FRAGMENT = 0.3;
const IDENTIFIER = /[\p{N}._/:-]/u;

/** The units of a query's terms: stems beside the words they are of, other words for the same thing beside both. */
export function unitsOf(text: string, words: readonly string[], grams: readonly string[], synonyms: Synonyms): Unit[] {
  const phrases = synonyms.phrasesIn(text);
  // What is all within a phrase is asked for with it.
  const isWithin = (term: string) => phrases.some((phrase) => phrase.isSpaceless && phrase.text.includes(term));
  const sought = soughtIn(words);
  const stems = new Set(words.map(stemOf).filter((stem) => stem !== undefined));
  const units: Unit[] = [];
  for (const word of words) {
    const stem = stemOf(word);
    if (stem === undefined && stems.has(word)) continue; // Comes with its word.
    if (isWithin(word)) continue;
    const others = synonyms.of(word) ?? (stem === undefined ? [] : (synonyms.of(stem) ?? []));
    units.push({
      alternatives: [
        { terms: [{ text: word, isGram: false }], weight: 1 },
        ...(stem === undefined ? [] : [{ terms: [{ text: stem, isGram: false }], weight: STEM }]),
        ...others.map((terms) => ({ terms, weight: SYNONYM })),
        ...otherSpellingOf(word),
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

function weightOf(word: string): number {
  if (KANA_FRAGMENT.test(word)) return FRAGMENT;
  return IDENTIFIER.test(word) ? EXACT : 1;
}

/** A hexadecimal number with its sign or without. */
function otherSpellingOf(word: string): Alternative[] {
  const [, sign = "", digits = ""] = HEX.exec(word) ?? [];
  if (digits === "") return [];
  return [{ terms: [{ text: sign === "" ? `0x${digits}` : digits, isGram: false }], weight: STEM }];
}

/** The one code among words that say little else. */
function soughtIn(words: readonly string[]): string | undefined {
  const [code, ...others] = words.filter((word) => CODE.test(word) && !YEAR.test(word));
  if (code === undefined || others.some((other) => !code.includes(other))) return undefined;
  const beside = words.filter((word) => !code.includes(word));
  return beside.length <= BESIDE_CODE ? code : undefined;
}

const stemOf = (word: string): string | undefined => englishStem(word) ?? koreanStem(word);

/** A store of a few rows cannot tell a rare word from a common one: it counts as a part of one of so many. */
const LEAST_ROWS = 100;

/** How much a term tells that stands in so many of a store's rows. */
export function rarity(count: number, rows: number): number {
  const others = Math.max(rows, LEAST_ROWS) - count;
  return Math.log(1 + (Math.max(others, 0) + 0.5) / (count + 0.5));
}

const MAX_UNHEARD_OF = 8;
/** How many times a whole question a code weighs that was sought in vain: whatever else is said is too little then. */
const IN_VAIN = 12;

/** What a thing that was asked for weighs. */
interface WeighedUnit {
  readonly weight: number;
  readonly isSought?: boolean | undefined;
}

/**
 * Weight of a whole question, against which coverage is measured: of all that stands in the store, and of some that
 * nobody wrote. Pasted pages are full of that, and still ask for what they share with a memory.
 */
export function wholeWeight(known: readonly WeighedUnit[], unheardOf: readonly WeighedUnit[]): number {
  const heaviest = unheardOf
    .map(({ weight }) => weight)
    .sort((a, b) => b - a)
    .slice(0, MAX_UNHEARD_OF);
  const whole = [...known.map(({ weight }) => weight), ...heaviest].reduce((sum, weight) => sum + weight, 0);
  return unheardOf.some(({ isSought }) => isSought) ? IN_VAIN * whole : whole;
}
