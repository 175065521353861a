import { borrowedBy, LENT_BY_AFTER, LENT_BY_BEFORE, lentBy } from "../context.ts";
import type { NeighbourLinks } from "./ranked-index.ts";

/** Rows below this share of the best score lend nothing: it would not change an answer. */
const LEAST_OF_BEST = 0.25;
/** Most rows that lend: about as many as an answer is chosen from. */
const MAX_LENDERS = 200;
const BINS = 64;
const WEIGHTS = [...LENT_BY_BEFORE, ...LENT_BY_AFTER];
const BESIDE = WEIGHTS.length;

/** Scores of the matching rows, by id. */
interface RowScores {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
}

/** Neighbours, scopes and lengths of all rows, by id. */
interface Rows {
  readonly neighbours: NeighbourLinks;
  readonly rows: { readonly upTo: number; readonly scopes: Uint32Array; readonly lengths: Uint16Array };
}

/**
 * The best rows and their neighbours: each counts a part of its neighbours' words as its own. Rows are numbered here,
 * borrowers first.
 */
export class Neighbourhood {
  /** Ids by number. */
  readonly members: number[] = [];
  /** Number of rows that borrow. */
  borrowers = 0;
  /** Length of a borrower including the borrowed part, by number. */
  lengths = new Float32Array(0);
  /** Number by id, counted from 1. */
  #places = new Uint32Array(0);
  /** Numbers of each borrower's neighbours, counted from 1; 0: none. */
  #beside = new Uint32Array(0);
  /** Share that each neighbour lends. */
  #weights = new Float32Array(0);
  #shares = new Float32Array(0);

  gather({ ids, scores }: RowScores, { neighbours, rows }: Rows): void {
    this.clear();
    if (neighbours.isEmpty) return;
    if (rows.upTo >= this.#places.length) this.#places = new Uint32Array(Math.ceil(1.25 * (rows.upTo + 1)));
    const { scopes, lengths } = rows;
    for (const id of lendersOf(ids, scores)) {
      const reached = this.members.length;
      for (let next = neighbours.after(id, scopes), n = 0; next !== 0 && n < LENT_BY_BEFORE.length; n++) {
        this.#place(next);
        next = neighbours.after(next, scopes);
      }
      for (let next = neighbours.before(id, scopes), n = 0; next !== 0 && n < LENT_BY_AFTER.length; n++) {
        this.#place(next);
        next = neighbours.before(next, scopes);
      }
      if (this.members.length > reached || neighbours.before(id, scopes) !== 0 || neighbours.after(id, scopes) !== 0)
        this.#place(id);
    }
    this.borrowers = this.members.length;
    this.#reserve();
    for (let at = 0; at < this.borrowers; at++) {
      const id = this.members[at] as number;
      const share = borrowedBy(lengths[id] as number);
      let length = lengths[id] as number;
      let [before, after] = [id, id];
      for (let nth = 0; nth < BESIDE; nth++) {
        const isBefore = nth < LENT_BY_BEFORE.length;
        if (isBefore) before = before && neighbours.before(before, scopes);
        else after = after && neighbours.after(after, scopes);
        const other = isBefore ? before : after;
        this.#beside[at * BESIDE + nth] = other === 0 ? 0 : this.#place(other);
        if (other === 0) continue;
        const words = lengths[other] as number;
        const weight = (WEIGHTS[nth] as number) * lentBy(words);
        this.#weights[at * BESIDE + nth] = weight;
        length += share * weight * words;
      }
      this.lengths[at] = length;
      this.#shares[at] = share;
    }
  }

  /** Number of a row, counted from 1; 0: not in the neighbourhood. */
  placeOf(id: number): number {
    return this.#places[id] ?? 0;
  }

  /** Frequency that a borrower takes from its neighbours, given the frequency in each row. */
  lentTo(at: number, frequencies: Float32Array): number {
    let lent = 0;
    for (let nth = 0; nth < BESIDE; nth++) {
      const place = this.#beside[at * BESIDE + nth] as number;
      if (place !== 0) lent += (this.#weights[at * BESIDE + nth] as number) * (frequencies[place - 1] as number);
    }
    return (this.#shares[at] as number) * lent;
  }

  /** Largest share that a borrower takes from a neighbour with the term. */
  shareOf(at: number, frequencies: Float32Array): number {
    let most = 0;
    for (let nth = 0; nth < BESIDE; nth++) {
      const place = this.#beside[at * BESIDE + nth] as number;
      if (place !== 0 && (frequencies[place - 1] as number) > 0) most = Math.max(most, WEIGHTS[nth] as number);
    }
    return (this.#shares[at] as number) * most;
  }

  clear(): void {
    for (const id of this.members) this.#places[id] = 0;
    this.members.length = 0;
    this.borrowers = 0;
  }

  #place(id: number): number {
    const known = this.#places[id] as number;
    if (known !== 0) return known;
    this.members.push(id);
    this.#places[id] = this.members.length;
    return this.members.length;
  }

  #reserve(): void {
    if (this.borrowers <= this.#shares.length) return;
    const room = 2 * this.borrowers;
    this.lengths = new Float32Array(room);
    this.#shares = new Float32Array(room);
    this.#beside = new Uint32Array(room * BESIDE);
    this.#weights = new Float32Array(room * BESIDE);
  }
}

/** The best rows, up to the limit; independent of the order in which they were found. */
export function lendersOf(ids: Uint32Array, scores: Float32Array): Uint32Array {
  const least = leastLender(ids, scores);
  const lenders = ids.filter((id) => (scores[id] as number) >= least);
  if (lenders.length <= MAX_LENDERS) return lenders.sort();
  return lenders.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b).subarray(0, MAX_LENDERS);
}

/** Least score of a row that lends. */
function leastLender(ids: Uint32Array, scores: Float32Array): number {
  let best = 0;
  for (const id of ids) {
    const score = scores[id] as number;
    if (score > best) best = score;
  }
  const counts = new Uint32Array(BINS + 1);
  const scale = BINS / best;
  for (const id of ids) {
    const bin = Math.floor((scores[id] as number) * scale);
    counts[bin] = (counts[bin] as number) + 1;
  }
  let bin = BINS;
  for (let count = 0; bin > LEAST_OF_BEST * BINS; bin--) {
    count += counts[bin] as number;
    if (count > MAX_LENDERS) break;
  }
  return bin / scale;
}
