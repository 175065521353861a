import type { Holders, NeighbourLinks, RankedIndex, TermRows, UnpackedRows } from "@chest/core/recall";
import { keyOf, LENT_BY_AFTER, LENT_BY_BEFORE } from "@chest/core/recall";

/** Fetched rows of one term in one scope. */
export interface FetchedRows {
  readonly text: string;
  readonly isGram: boolean;
  readonly scope: number;
  readonly ids: readonly number[];
  /** For each row: the length of the text times 256, plus the frequency of the term. */
  readonly marks: readonly number[];
}

/** Neighbours of a row in its session and space, the nearest first. */
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
/** Rows in another state that are skipped on the way to a neighbour. */
const MAX_STEPS = 4;
/** Number of rows on either side of a lender that may borrow from it, with the rows that they also borrow from. */
export const ROWS_BESIDE = MAX_STEPS * (LENT_BY_BEFORE.length + LENT_BY_AFTER.length);

/**
 * Index over the rows that one question fetched. They are numbered by ascending id from 1, so that ties keep the order
 * of ids.
 */
export class FetchedIndex implements RankedIndex {
  readonly rows: RankedIndex["rows"];
  readonly neighbours: NeighbourLinks;
  readonly changed: ReadonlySet<number> = new Set();
  /** The id of each row. */
  readonly ids: Float64Array;
  readonly #terms = new Map<string, TermRows>();

  constructor(fetched: readonly FetchedRows[], neighbours: readonly FetchedNeighbours[], scopes: readonly number[]) {
    const beside = neighbours.flatMap(({ before, after }) => [...before, ...after]);
    this.ids = eachOnce([...fetched.map(({ ids }) => ids), beside.map(({ id }) => id)]);
    const upTo = this.ids.length - 1;
    const rows = { upTo, scopes: new Uint32Array(upTo + 1), lengths: new Uint16Array(upTo + 1) };
    this.rows = rows;
    // Rows outside the requested scopes keep number 0.
    const scopeNumbers = new Map(scopes.map((scope, at) => [scope, at + 1]));
    for (const { id, scope, length } of beside) {
      const number = this.numberOf(id);
      rows.scopes[number] = scopeNumbers.get(scope) ?? 0;
      rows.lengths[number] = length;
    }
    const terms = new Map<string, number[][]>();
    for (const { text, isGram, scope, ids, marks } of fetched) {
      const scopeNumber = scopeNumbers.get(scope) ?? 0;
      const impacts: number[] = [];
      for (let at = 0; at < ids.length; at++) {
        const [number, mark] = [this.numberOf(ids[at] as number), marks[at] as number];
        rows.scopes[number] = scopeNumber;
        rows.lengths[number] = mark >>> 8;
        impacts.push(number * 256 + (mark & 0xff));
      }
      const key = keyOf(text, isGram);
      const others = terms.get(key);
      if (others) others.push(impacts);
      else terms.set(key, [impacts]);
    }
    for (const [key, impacts] of terms) this.#terms.set(key, termRows(impacts));
    this.neighbours = linksOf(neighbours, (id) => this.numberOf(id));
  }

  /** Number of a row; 0: not fetched. */
  numberOf(id: number): number {
    let [first, last] = [1, this.ids.length - 1];
    while (first <= last) {
      const middle = (first + last) >>> 1;
      const found = this.ids[middle] as number;
      if (found === id) return middle;
      if (found < id) first = middle + 1;
      else last = middle - 1;
    }
    return 0;
  }

  rowsOf(text: string, isGram: boolean): TermRows {
    return this.#terms.get(keyOf(text, isGram)) ?? NOTHING;
  }

  recentOf(): Holders {
    return NONE;
  }
}

/** Distinct ids in ascending order, after a 0. */
function eachOnce(lists: readonly (readonly number[])[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 1));
  let end = 1;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  all.sort();
  let kept = 1;
  for (let at = 1; at < all.length; at++) if (all[at] !== all[kept - 1]) all[kept++] = all[at] as number;
  return all.subarray(0, kept);
}

/** Rows of a term by scope: row number times 256, plus frequency. */
function termRows(byScope: readonly (readonly number[])[]): TermRows {
  const rows = Float64Array.from(byScope.flat()).sort();
  return {
    unpack(into: UnpackedRows) {
      const room = into.withRoom(rows.length);
      for (let at = 0; at < rows.length; at++) {
        const row = rows[at] as number;
        room.ids[at] = Math.floor(row / 256);
        room.impacts[at] = row % 256;
      }
    },
    among(sorted) {
      const wanted = new Set(sorted);
      return new Set(Array.from(rows, (row) => Math.floor(row / 256)).filter((number) => wanted.has(number)));
    },
  };
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
