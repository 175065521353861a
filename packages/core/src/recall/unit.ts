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
}

const STEM = 0.9;
const SYNONYM = 0.8;
const GRAM = 0.4;
/** An error code, a version, a path: who types one means it. */
const EXACT = 2;
const IDENTIFIER = /[\p{N}._/:-]/u;

/** The units of a query's terms: stems beside the words they are of, other words for the same thing beside both. */
export function unitsOf(text: string, words: readonly string[], grams: readonly string[], synonyms: Synonyms): Unit[] {
  const phrases = synonyms.phrasesIn(text);
  // What is all within a phrase is asked for with it.
  const isWithin = (term: string) => phrases.some((phrase) => phrase.isSpaceless && phrase.text.includes(term));
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
      ],
      weight: IDENTIFIER.test(word) ? EXACT : 1,
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

const stemOf = (word: string): string | undefined => englishStem(word) ?? koreanStem(word);

const MAX_UNHEARD_OF = 8;

/**
 * Weight of a whole question, against which coverage is measured: of all that stands in the store, and of some that
 * nobody wrote. Pasted pages are full of that, and still ask for what they share with a memory.
 */
export function wholeWeight(known: readonly number[], unheardOf: readonly number[]): number {
  const heaviest = unheardOf.toSorted((a, b) => b - a).slice(0, MAX_UNHEARD_OF);
  return [...known, ...heaviest].reduce((sum, weight) => sum + weight, 0);
}
