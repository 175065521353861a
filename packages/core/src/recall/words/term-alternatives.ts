import type { QueryTerm } from "../ranking/unit.ts";

/** One form of a unit, as terms: a row matches it if it contains all of them. */
export interface Way {
  readonly terms: readonly QueryTerm[];
  /** Weight of this form: the rarer, the higher. */
  readonly weight: number;
}

export interface Counted {
  readonly terms: readonly QueryTerm[];
  /** Number of visible rows that contain it. */
  readonly count: number;
  /** The word itself or a form of it, not a synonym. */
  readonly isTyped: boolean;
}

/** All forms of a unit. */
export type Ways = readonly (Way & Counted)[];

/** A unit to search for; rows count its best form. */
export interface QueryUnit {
  readonly ways: readonly Way[];
  /** Whether it also has frequent forms, which are counted only in found rows. */
  readonly isPart?: boolean;
}

/** Forms that are counted only in rows that other terms found. */
export interface Beside {
  readonly ways: readonly Way[];
  /** Forms that were already searched and counted. */
  readonly looked: readonly Way[];
}

/** True for units of words: grams repeat the words and cross their borders. */
export const isOfWords = ({ ways }: Pick<QueryUnit, "ways">): boolean =>
  ways.some(({ terms }) => terms.some(({ isGram }) => !isGram));

export const heaviestOf = (ways: readonly Way[]): number => Math.max(0, ...ways.map(({ weight }) => weight));
