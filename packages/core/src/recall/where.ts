import type { Memory } from "../memory/memory.ts";
import type { WordHit } from "../ports/search.ts";
import { termsOf } from "../text/segment.ts";
import { matcherOf } from "./answer/snippet.ts";
import type { Query } from "./query.ts";

/** Which parts of a memory a query by words has met. */
export interface Met {
  readonly content: boolean;
  readonly name: boolean;
  readonly tags: boolean;
  /** Matched only by the context before or after it. */
  readonly context: boolean;
}

/** The index counts a memory's parts together; which of them it was is looked up for the few that are shown. */
export function whereMet({ content, entity, title, name: ownName, tags }: Memory, query: Query, hit: WordHit): Met {
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

/** All terms that a query asks for, other words for the same thing among them. */
interface QueryTerms {
  readonly terms: ReadonlySet<string>;
  standIn(content: string): boolean;
}

/** Made once for all that a query found. */
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
