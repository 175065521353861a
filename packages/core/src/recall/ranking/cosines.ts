import { BUILTIN_IDENTITY, TABLE_IDENTITY } from "../../embedding/known.ts";
import { isReadBySentences } from "../../embedding/sentence-scripts.ts";
import type { EmbeddingIdentity } from "../../ports/embedder.ts";

/** Calibration of a model's cosines. */
export interface CosineScale {
  /** How far above texts that have nothing to do with a question its answer lies. */
  readonly spread: number;
  /** 0–1: whether meaning may decide against words that say what was asked. */
  readonly trust: number;
  /** Cosine below which a text has nothing to do with a question. */
  readonly least: number;
  /** Share of the weight of vectors that its own have; 1 where none is stated. */
  readonly weight?: number;
  /** Exponent by which the weight of words falls with the share of a question that they reach; half of `trust` by default. */
  readonly wordsExponent?: number;
  /**
   * Cosine from which on each hundredth is a hundredth of confidence, and below which it is one of doubt; undefined:
   * confidence grows from the background to a spread above it.
   */
  readonly sureFrom?: number;
  /** Factor of a cosine in the confidence; 1 where it is not stated. */
  readonly certainty?: number;
  /**
   * Share of the built-in table in the nearness of the best rows, which it reads term by term: it knows languages that the
   * model does not bring together. Undefined: none.
   */
  readonly readByTable?: number;
  /** Questions that the model can read; others are asked by words alone. Undefined: any. */
  readonly reads?: (text: string) => boolean;
}

/** Scale for models of unknown quality: words decide as far as they reach. */
export const UNKNOWN_COSINES: CosineScale = { spread: 0.25, trust: 0, least: 0.55 };

/** No Chinese, Japanese or Korean, which an English model takes for one and the same unknown word. */
const ENGLISH = /^[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]*$/u;
const isEnglish = (text: string): boolean => ENGLISH.test(text);

const KNOWN: ReadonlyMap<string, CosineScale> = new Map([
  // Sums of terms: texts that have nothing in common lie at .05, an answer at .3 to .6; so does the closeness of
  // their terms. With more weight it puts what talks alike above an exact answer. Chosen on the tuned parts of the sets in
  // e2e/eval, as is from where it is sure.
  [TABLE_IDENTITY.model, { spread: 0.6, trust: 0, least: 0.07, weight: 0.8, wordsExponent: 0.5, sureFrom: 0.2 }],
  // An answer lies at .3 to .6, texts that have nothing in common at 0 to .15. With more trust, or less of the table's reading, it puts
  // an older statement before the newer one, which it cannot tell apart; without that reading, paraphrases lose a tenth of R@10.
  // Chosen on the tuned parts, as is from where it is sure.
  [
    BUILTIN_IDENTITY.model,
    {
      spread: 0.42,
      trust: 0.4,
      least: 0.1,
      wordsExponent: 0.5,
      sureFrom: 0.2,
      certainty: 1.2,
      readByTable: 0.5,
      reads: isReadBySentences,
    },
  ],
  // Not measured: no weights of it were in reach.
  ["Xenova/bge-m3", { spread: 0.25, trust: 1, least: 0.55 }],
  // Trained at a low temperature: all of its cosines lie between .7 and 1. It puts what is said in a question's own language
  // first; with more trust, words found less of what stands in another.
  ["Xenova/multilingual-e5-small", { spread: 0.1, trust: 0.3, least: 0.55, readByTable: 0.65 }],
  // Its cosines are spread wide: an answer in other words lies at .3 to .6.
  ["Xenova/all-MiniLM-L6-v2", { spread: 0.5, trust: 0.3, least: 0.25, reads: isEnglish, readByTable: 0.3 }],
]);

export const cosinesOf = ({ model }: Pick<EmbeddingIdentity, "model">): CosineScale =>
  KNOWN.get(model) ?? UNKNOWN_COSINES;

/** Factor of a cosine in the confidence for a question of many telling terms, and number of them at which it is half of that. */
const MOST_CERTAIN = 2.4;
const HALF_CERTAIN = 6;

/** The scale for a question with this number of telling terms: a sum of few terms lies near to many texts by chance. */
export const ofTerms = (scale: CosineScale, terms: number | undefined): CosineScale =>
  terms === undefined ? scale : { ...scale, certainty: (MOST_CERTAIN * terms) / (terms + HALF_CERTAIN) };

/** Fewer rows than this are no background to stand out of. */
const ENOUGH_ROWS = 20;

/** The cosine of what only happens to be near: the middle of a list, or what is given where the list is short. */
export function backgroundOf(cosines: readonly number[], least: number): number {
  if (cosines.length < ENOUGH_ROWS) return least;
  return cosines.toSorted((a, b) => a - b)[Math.floor(cosines.length / 2)] as number;
}
