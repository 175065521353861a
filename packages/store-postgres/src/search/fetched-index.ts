import type { Holders, NeighbourLinks, RankedIndex, TermRows, UnpackedRows } from "@chest/core";
import { keyOf, LENT_BY_AFTER, LENT_BY_BEFORE } from "@chest/core";

/** Rows of one term as they came from the database, by ascending id. */
export interface FetchedTerm {
  readonly text: string;
  readonly isGram: boolean;
  readonly ids: readonly number[];
  readonly impacts: readonly number[];
  readonly lengths: readonly number[];
  readonly scopes: readonly number[];
}

/** Neighbours of one row in its session and space, the nearest first. */
export interface FetchedNeighbours {
  readonly id: number;
  readonly before: readonly Neighbour[];
  readonly after: readonly Neighbour[];
}

export interface Neighbour {
  readonly id: number;
  readonly scope: number;
  readonly length: number;
}

const NONE: Holders = { ids: [], impacts: [] };
const NOTHING: TermRows = { unpack: (into) => void into.emptied(), among: () => new Set() };
/** Rows in another state that are passed over on the way to a neighbour. */
const MAX_STEPS = 4;
/** Rows on either side of a lender that may borrow from it, and those that they borrow from besides. */
export const ROWS_BESIDE = MAX_STEPS * (LENT_BY_BEFORE.length + LENT_BY_AFTER.length);

/**
 * The rows that one question fetched, by numbers of its own: 1 for the row with the smallest id, and so on, so that equal
 * scores stand in the same order as by ids.
 */
export class FetchedIndex implements RankedIndex {
  readonly rows: RankedIndex["rows"];
  readonly neighbours: NeighbourLinks;
  readonly changed: ReadonlySet<number> = new Set();
  /** The id of each row. */
  readonly ids: readonly number[];
  readonly #numbers: ReadonlyMap<number, number>;
  readonly #terms = new Map<string, TermRows>();

  constructor(terms: readonly FetchedTerm[], neighbours: readonly FetchedNeighbours[], scopes: readonly number[]) {
    const places = new Map<number, { scope: number; length: number }>();
    for (const { before, after } of neighbours)
      for (const { id, scope, length } of [...before, ...after]) places.set(id, { scope, length });
    for (const { ids, lengths, scopes: lie } of terms)
      for (const [at, id] of ids.entries()) places.set(id, { scope: lie[at] as number, length: lengths[at] as number });
    this.ids = [0, ...[...places.keys()].sort((a, b) => a - b)];
    this.#numbers = new Map(this.ids.map((id, number) => [id, number]));
    const upTo = this.ids.length - 1;
    const rows = { upTo, scopes: new Uint32Array(upTo + 1), lengths: new Uint16Array(upTo + 1) };
    // Rows outside the scopes asked for keep number 0.
    const scopeNumbers = new Map(scopes.map((scope, at) => [scope, at + 1]));
    for (const [id, { scope, length }] of places) {
      const number = this.numberOf(id);
      rows.scopes[number] = scopeNumbers.get(scope) ?? 0;
      rows.lengths[number] = length;
    }
    this.rows = rows;
    for (const term of terms) this.#terms.set(keyOf(term.text, term.isGram), this.#rowsOf(term));
    this.neighbours = linksOf(neighbours, (id) => this.numberOf(id));
  }

  numberOf(id: number): number {
    return this.#numbers.get(id) ?? 0;
  }

  rowsOf(text: string, isGram: boolean): TermRows {
    return this.#terms.get(keyOf(text, isGram)) ?? NOTHING;
  }

  recentOf(): Holders {
    return NONE;
  }

  #rowsOf({ ids, impacts }: FetchedTerm): TermRows {
    const numbers = ids.map((id) => this.numberOf(id));
    return {
      unpack(into: UnpackedRows) {
        const room = into.withRoom(numbers.length);
        for (let at = 0; at < numbers.length; at++) {
          room.ids[at] = numbers[at] as number;
          room.impacts[at] = impacts[at] as number;
        }
      },
      among(sorted) {
        const wanted = new Set(sorted);
        return new Set(numbers.filter((number) => wanted.has(number)));
      },
    };
  }
}

function linksOf(neighbours: readonly FetchedNeighbours[], numberOf: (id: number) => number): NeighbourLinks {
  const previous = new Map<number, number>();
  const next = new Map<number, number>();
  for (const { id, before, after } of neighbours) {
    const numbers = [...before.toReversed(), { id }, ...after].map((row) => numberOf(row.id));
    for (let at = 1; at < numbers.length; at++) {
      const [one, other] = [numbers[at - 1] as number, numbers[at] as number];
      next.set(one, other);
      previous.set(other, one);
    }
  }
  return {
    isEmpty: neighbours.length === 0,
    before: (number, scopes) => nearest(previous, number, scopes),
    after: (number, scopes) => nearest(next, number, scopes),
  };
}

function nearest(links: ReadonlyMap<number, number>, number: number, scopes: Uint32Array): number {
  const own = scopes[number];
  let at = links.get(number) ?? 0;
  for (let steps = 0; at !== 0 && steps < MAX_STEPS; steps++) {
    if (scopes[at] === own) return at;
    at = links.get(at) ?? 0;
  }
  return 0;
}
