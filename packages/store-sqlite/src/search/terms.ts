import type { Query } from "@chest/core";
import type { TermCounts } from "./term-counts.ts";

/** A word or gram worth asking for. */
export interface Term {
  readonly text: string;
  /** Grams stand in columns of their own. */
  readonly isGram: boolean;
  /** In how many rows of the store it stands, roughly. */
  readonly count: number;
  /** Its weight: the rarer, the more it tells. */
  readonly idf: number;
}

const MAX_TERMS = 24;
const KEPT_AT_LEAST = 3;
/** Terms in more than this share of a store are noise, once it holds enough rows to tell. */
const TOO_FREQUENT = 0.2;
const ENOUGH_ROWS = 1000;

/** The rarest first; what nobody wrote and what nearly everybody wrote is left out, unless nothing would remain. */
export function chooseTerms(counts: TermCounts, { words, grams }: Pick<Query, "words" | "grams">): Term[] {
  const rows = counts.rows();
  const termOf =
    (isGram: boolean) =>
    (text: string): Term => {
      const count = counts.of(text);
      return { text, isGram, count, idf: Math.log(1 + (Math.max(rows - count, 0) + 0.5) / (count + 0.5)) };
    };
  const known = [...words.map(termOf(false)), ...grams.map(termOf(true))]
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const telling = rows < ENOUGH_ROWS ? known : known.filter(({ count }) => count <= TOO_FREQUENT * rows);
  return telling.length > 0 ? telling.slice(0, MAX_TERMS) : known.slice(0, KEPT_AT_LEAST);
}
