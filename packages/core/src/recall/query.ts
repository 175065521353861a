import { wellFormed } from "../text/characters.ts";
import { withoutFrames } from "../text/pasted.ts";
import { QUESTION_WORDS } from "../text/question-words.ts";
import { bigramsOf, termsOf } from "../text/segment.ts";
import { STOP_WORDS } from "../text/stop-words.ts";
import { DEFAULT_SYNONYMS, type Synonyms } from "../text/synonyms.ts";
import { type Unit, unitsOf } from "./ranking/unit.ts";

/** Search query: a text and its terms, without the syntax of an engine. */
export interface Query {
  /**
   * Trimmed, well-formed, at most 2,000 characters: of a longer text its beginning, and of a longer text with several
   * lines its end as well.
   */
  readonly text: string;
  /** Whether the given text was longer than that. */
  readonly wasCut: boolean;
  readonly words: readonly string[];
  readonly grams: readonly string[];
  /** Search units of the terms, each once. */
  readonly units: readonly Unit[];
}

const MAX_QUERY_CHARS = 2000;
/** In a long text with several lines, this many characters of the end replace the middle. */
const LAST_CHARS = 500;
const MAX_TERMS = 400;

/** Reads any text as a query; a text without a letter or digit has no terms. */
export function readQuery(input: string, synonyms: Synonyms = DEFAULT_SYNONYMS): Query {
  const whole = wellFormed(input).trim();
  const text = whole.length > MAX_QUERY_CHARS ? shortened(whole) : whole;
  const all = termsOf(text);
  const words = all.words.filter(isTelling);
  const grams = withoutQuestion(all.grams, all.words).filter(isTelling);
  // If the query has only question words, such as "NOT" or "これは", they are used as terms.
  const kept = words.length + grams.length > 0 ? { words, grams } : all;
  const terms = bounded(kept.words, kept.grams);
  return {
    text,
    wasCut: text.length < whole.length,
    ...terms,
    units: unitsOf(text, terms.words, terms.grams, synonyms),
  };
}

function isTelling(term: string): boolean {
  return !STOP_WORDS.has(term) && !QUESTION_WORDS.has(term);
}

/** Removes grams that occur only in question words. */
function withoutQuestion(grams: readonly string[], words: readonly string[]): readonly string[] {
  const [telling, asking] = [true, false].map(
    (is) => new Set(bigramsOf(words.filter((word) => isTelling(word) === is).join(" "))),
  );
  return grams.filter((gram) => !asking?.has(gram) || telling?.has(gram));
}

/** A pasted call stack names the failure in its first lines or in its last. */
function shortened(long: string): string {
  const text = long.includes("\n") ? withoutFrames(long) : long;
  if (text.length <= MAX_QUERY_CHARS || !text.includes("\n")) return head(text, MAX_QUERY_CHARS);
  const last = text.slice(-LAST_CHARS);
  return `${head(text, MAX_QUERY_CHARS - LAST_CHARS - 1)}\n${last.isWellFormed() ? last : last.slice(1)}`;
}

function head(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

function bounded(words: readonly string[], grams: readonly string[]): Pick<Query, "words" | "grams"> {
  const forWords = MAX_TERMS - Math.min(grams.length, MAX_TERMS / 2);
  const firstWords = words.slice(0, forWords);
  return { words: firstWords, grams: grams.slice(0, MAX_TERMS - firstWords.length) };
}
