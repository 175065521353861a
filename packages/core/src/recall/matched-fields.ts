import type { Memory } from "../memory/memory.ts";
import type { WordHit } from "../ports/search.ts";
import { termsOf } from "../text/segment.ts";
import { matcherOf } from "./answer/snippet.ts";
import type { Query } from "./query.ts";

/** Parts of a memory that match a word query. */
export interface MatchedFields {
  readonly content: boolean;
  readonly name: boolean;
  readonly tags: boolean;
  /** Matched only by a neighbour in its session. */
  readonly context: boolean;
}

/** Finds the parts that match. The index does not record them, so they are computed for the few shown memories. */
export function matchedFields(
  { content, entity, title, name: ownName, tags }: Memory,
  query: Query,
  hit: WordHit,
): MatchedFields {
  const { coverage, lent = 0 } = hit;
  const context = lent > 0;
  if (coverage <= lent) return { content: false, name: false, tags: false, context };
  const { terms, standIn } = askedBy(query);
  const isMet = (text: string) => {
    const { words, grams } = termsOf(text);
    return [...words, ...grams].some((term) => terms.has(term));
  };
  const [name, tagged] = [
    isMet([entity.name, title, ownName].filter(Boolean).join(" ")),
    tags.length > 0 && isMet(tags.join(" ")),
  ];
  return { content: !(name || tagged) || standIn(content), name, tags: tagged, context };
}

/** All terms of a query, including synonyms. */
interface QueryTerms {
  readonly terms: ReadonlySet<string>;
  standIn(content: string): boolean;
}

/** Computed once for all rows of a query. */
const known = new WeakMap<Query, QueryTerms>();

function askedBy(query: Query): QueryTerms {
  const before = known.get(query);
  if (before) return before;
  const terms = new Set(
    query.units.flatMap(({ alternatives }) => alternatives.flatMap(({ terms }) => terms.map(({ text }) => text))),
  );
  const asked = { terms, standIn: matcherOf([...terms]) };
  known.set(query, asked);
  return asked;
}
