import { foldHan } from "../text/fold-han.ts";
import { QUESTION_WORDS } from "../text/question-words.ts";
import { segment } from "../text/segment.ts";
import { STOP_WORDS } from "../text/stop-words.ts";
import type { Message, RoleWeights } from "./message.ts";

/** Terms with their weights, the heaviest first. */
export type Keywords = readonly (readonly [term: string, weight: number])[];

/** Number of known texts that contain each term. */
export interface TermFrequencies {
  readonly texts: number;
  of(term: string): number;
}

const MAX_KEYWORDS = 72;
const SCALE = 5;
const MIN_WEIGHT = 0.8;
/** A pair of characters says less than a dictionary word, because it may cross a word boundary. */
const GRAM_SHARE = 0.5;
const PAIR = 2;

/** Terms that distinguish a conversation: by their frequency in it and their rarity elsewhere, weighted by speaker. */
export function keywordsOf(messages: readonly Message[], weights: RoleWeights, known: TermFrequencies): Keywords {
  const sums = new Map<string, number>();
  for (const { role, content } of messages) {
    for (const [term, weight] of top(weighed(content, known))) {
      sums.set(term, (sums.get(term) ?? 0) + weight * SCALE * weights[role]);
    }
  }
  return top([...sums].filter(([, weight]) => weight >= MIN_WEIGHT)).map(
    ([term, weight]) => [term, Math.round(weight * 100) / 100] as const,
  );
}

/** Counts terms over the keywords of texts. */
export function keywordFrequencies(texts: readonly { readonly keywords: Keywords }[]): TermFrequencies {
  const counts = new Map<string, number>();
  for (const { keywords } of texts) for (const [term] of keywords) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { texts: texts.length, of: (term) => counts.get(term) ?? 0 };
}

/** Keywords to show to a user, as they were written: neither stems nor pairs of characters. */
export function wordsShown(keywords: Keywords, text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase();
  const written = new Map(Array.from(plain, (character) => [foldHan(character), character] as const));
  const words = new Set(segment(text).words.split(" "));
  const shown = keywords
    .filter(([term]) => words.has(term))
    .map(([term]) => Array.from(term, (character) => written.get(character) ?? character).join(""))
    .filter((term) => plain.includes(term));
  // In Korean the stem is the word; in other languages the stem is shorter.
  const isSaidBy = (term: string, other: string) => (HANGUL.test(term) ? term.startsWith(other) : other.includes(term));
  return shown.filter((term) => !shown.some((other) => other !== term && isSaidBy(term, other)));
}

const HANGUL = /^\p{Script=Hangul}/u;

const top = (weighed: readonly (readonly [string, number])[]) =>
  weighed.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, MAX_KEYWORDS);

function weighed(text: string, known: TermFrequencies): [string, number][] {
  const terms = termsOf(text);
  let length = 0;
  for (const count of terms.values()) length += count;
  // Scales by the square root of the length, so that a word of a long message counts less but still counts.
  const share = 1 / Math.sqrt(Math.max(1, length));
  return [...terms].map(([term, count]) => [term, count * share * rarity(term, known)]);
}

const rarity = (term: string, { texts, of }: TermFrequencies): number => 1 + Math.log((texts + 1) / (of(term) + 1));

/** Counts each search term of a text. */
function termsOf(text: string): Map<string, number> {
  const { words, grams } = segment(text);
  const counts = new Map<string, number>();
  const add = (term: string, count: number) => counts.set(term, (counts.get(term) ?? 0) + count);
  for (const word of words.split(" ")) if (isTelling(word)) add(word, 1);
  for (const gram of grams.split(" ")) {
    if (Array.from(gram).length === PAIR && isTelling(gram) && !counts.has(gram)) add(gram, GRAM_SHARE);
  }
  return counts;
}

const isTelling = (term: string): boolean => term !== "" && !STOP_WORDS.has(term) && !QUESTION_WORDS.has(term);
