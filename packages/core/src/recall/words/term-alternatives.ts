import type { TermAsked } from "../ranking/unit.ts";

/** Terms that together say one thing: a row says it when it holds all of them. */
export interface Way {
  readonly terms: readonly TermAsked[];
  /** Weight of this alternative: the rarer, the higher. */
  readonly weight: number;
}

export interface Counted {
  readonly terms: readonly TermAsked[];
  /** Number of rows in sight that hold it. */
  readonly count: number;
  /** The word itself or a form of it, not another word for the same. */
  readonly isTyped: boolean;
}

/** All ways to say one thing. */
export type Ways = readonly (Way & Counted)[];

/** A thing worth asking for; rows count the best way they say it. */
export interface QueryUnit {
  readonly ways: readonly Way[];
  /** Whether it has other forms, too, which are counted only in found rows. */
  readonly isPart?: boolean;
}

/** Alternatives that are counted only in rows found by other terms. */
export interface Beside {
  readonly ways: readonly Way[];
  /** The ways that rows were looked for with: what a row says so is counted already. */
  readonly looked: readonly Way[];
}

/** Grams repeat what words say, across their borders too. */
export const isOfWords = ({ ways }: Pick<QueryUnit, "ways">): boolean =>
  ways.some(({ terms }) => terms.some(({ isGram }) => !isGram));

export const heaviestOf = (ways: readonly Way[]): number => Math.max(0, ...ways.map(({ weight }) => weight));
