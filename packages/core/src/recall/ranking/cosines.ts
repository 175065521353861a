import { BUILTIN_IDENTITY, TABLE_IDENTITY } from "../../embedding/known-models.ts";
import { isReadBySentences } from "../../embedding/sentence-scripts.ts";
import type { EmbeddingIdentity } from "../../ports/embedder.ts";

/** Calibration of a model's cosines. */
export interface CosineScale {
  /** Typical distance between the cosine of an answer and the cosine of unrelated texts. */
  readonly spread: number;
  /** 0–1: how far similarity in meaning may outweigh a match of words. */
  readonly trust: number;
  /** Texts below this cosine are unrelated to the question. */
  readonly least: number;
  /** Weight of its vectors relative to the default; 1 if absent. */
  readonly weight?: number;
  /** Exponent that lowers the weight of words by their coverage of the question; half of `trust` by default. */
  readonly wordsExponent?: number;
  /**
   * Cosine that counts as neutral: each hundredth above it adds a hundredth of confidence, each below removes one.
   * Undefined: confidence rises from the background over one spread.
   */
  readonly sureFrom?: number;
  /** Factor of a cosine in the confidence; 1 by default. */
  readonly certainty?: number;
  /**
   * Share of the built-in term table in the similarity of the best rows: it links languages that the model does not.
   * Undefined: the table is not used.
   */
  readonly readByTable?: number;
  /** Whether the model can read a question; other questions use words alone. Undefined: any question. */
  readonly reads?: (text: string) => boolean;
}

/** Scale for unknown models: words decide as far as they cover the question. */
export const UNKNOWN_COSINES: CosineScale = { spread: 0.25, trust: 0, least: 0.55 };

/** Excludes Chinese, Japanese and Korean, which an English model reads as one unknown word. */
const ENGLISH = /^[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u;
const isEnglish = (text: string): boolean => ENGLISH.test(text);

const E5_SMALL = "Xenova/multilingual-e5-small";

/** By model, or by model and revision where a revision has another scale. */
const KNOWN: ReadonlyMap<string, CosineScale> = new Map([
  // Measured: unrelated texts have a cosine near .05, answers .3 to .6, and the similarity of their terms the same. A
  // higher weight ranks similar talk above an exact answer. Chosen on the tuned parts of the sets in e2e/eval, like
  // `sureFrom`.
  [TABLE_IDENTITY.model, { spread: 0.6, trust: 0, least: 0.07, weight: 0.8, wordsExponent: 0.5, sureFrom: 0.2 }],
  // Measured: answers have a cosine of .3 to .6, unrelated texts 0 to .15. With more trust, or less reading by the
  // table, older statements rank before newer ones, which the model cannot distinguish; without the table, paraphrases
  // lose a tenth of R@10. Chosen on the tuned parts, like `sureFrom`.
  [
    BUILTIN_IDENTITY.model,
    {
      spread: 0.42,
      trust: 0.4,
      least: 0.1,
      wordsExponent: 0.5,
      sureFrom: 0.17,
      certainty: 1.25,
      readByTable: 0.5,
      reads: isReadBySentences,
    },
  ],
  // Not measured, because the model was not available.
  ["Xenova/bge-m3", { spread: 0.25, trust: 1, least: 0.55 }],
  // Centred by language: answers have a cosine of .3 to .6, unrelated texts 0 to .1. Less reading by the table finds less
  // across languages; a wider spread puts older statements before newer ones. Chosen on the tuned parts.
  [E5_SMALL, { spread: 0.3, trust: 0.8, least: 0.1, readByTable: 0.4, sureFrom: 0.13, certainty: 1.5 }],
  // As it was before its vectors were centred. Trained at a low temperature: all cosines lie between .7 and 1. It prefers
  // texts in the question's language; with more trust, words found fewer texts in other languages.
  [`${E5_SMALL}@761b726dd34fb83930e26aab4e9ac3899aa1fa78`, { spread: 0.1, trust: 0.3, least: 0.55, readByTable: 0.65 }],
  // Cosines are spread widely: a paraphrased answer has .3 to .6.
  ["Xenova/all-MiniLM-L6-v2", { spread: 0.5, trust: 0.3, least: 0.25, reads: isEnglish, readByTable: 0.3 }],
]);

export const cosinesOf = ({ model, revision }: Pick<EmbeddingIdentity, "model" | "revision">): CosineScale =>
  KNOWN.get(`${model}@${revision}`) ?? KNOWN.get(model) ?? UNKNOWN_COSINES;

/** Greatest factor of a cosine in the confidence, and the number of significant terms at which half of it applies. */
const MOST_CERTAIN = 2.4;
const HALF_CERTAIN = 6;

/**
 * Scale for a question with this number of significant terms: a vector of few terms is close to many texts by chance.
 */
export const ofTerms = (scale: CosineScale, terms: number | undefined): CosineScale =>
  terms === undefined ? scale : { ...scale, certainty: (MOST_CERTAIN * terms) / (terms + HALF_CERTAIN) };

/** A shorter list has too few rows to estimate the background from. */
const ENOUGH_ROWS = 20;

/** Typical cosine of unrelated rows: the median of a list, or `least` for a short list. */
export function backgroundOf(cosines: readonly number[], least: number): number {
  if (cosines.length < ENOUGH_ROWS) return least;
  return cosines.toSorted((a, b) => a - b)[Math.floor(cosines.length / 2)] as number;
}
