import { PARTS, type Part, partOf } from "./eval-set.ts";
import type { Evaluation, Row } from "./evaluate.ts";
import type { Leg } from "./legs.ts";
import { reciprocal } from "./measures.ts";
import { compare, type Difference } from "./significance.ts";

/** Comparison of two legs on the same questions. */
export interface Pair extends Pick<Row, "set" | "store"> {
  readonly leg: Leg;
  readonly against: Leg;
  readonly part: Part;
  /** Difference in MRR. */
  readonly change: Difference;
}

/**
 * Word search must not lose to plain full-text search, both legs combined must not lose to one of them, and ranking
 * only the rarest words must cost nothing.
 */
const HELD_AGAINST: readonly (readonly [leg: Leg, against: Leg])[] = [
  ["words", "fts5"],
  ["rarest", "words"],
  ["hybrid", "words"],
  ["hybrid", "vectors"],
];

/** Pairs the legs to compare, over the questions that both were asked, in all languages together. */
export function pairs(found: readonly Evaluation[]): Pair[] {
  const sets = Map.groupBy(found, ({ rows: [row] }) => `${row?.set}|${row?.store}`);
  return [...sets.values()].flatMap((legs) =>
    HELD_AGAINST.flatMap(([leg, against]) => {
      const [one, other] = [leg, against].map((name) => legs.find(({ rows: [row] }) => row?.leg === name));
      const [row] = one?.rows ?? [];
      if (!one || !other || !row) return [];
      const placesBefore = new Map(other.asked.map(({ question, place }) => [question.key, place]));
      return PARTS.map((part) => {
        const asked = one.asked.filter(({ question }) => partOf(question) === part);
        const before = asked.map(({ question }) => reciprocal({ place: placesBefore.get(question.key) ?? 0 }));
        const change = compare(before, asked.map(reciprocal));
        return { set: row.set, store: row.store, leg, against, part, change };
      });
    }),
  );
}
