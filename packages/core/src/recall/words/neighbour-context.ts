import { LENT, LENT_FURTHER } from "../context.ts";
import type { NeighbourLinks } from "./ranked-index.ts";

/** Rows that say less than this share of what the best one says lend nothing: it would move nobody that counts. */
const LEAST_OF_BEST = 0.25;
/** More than an answer shows: so many lend at the most. */
const MAX_LENDERS = 400;
const BINS = 64;

/** Units that rows contain themselves, by id. */
interface Said {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  readonly said: Float32Array;
}

/** A score and a weight for each row, by id: used for one thing after the other, and all zero between them. */
export interface RowRoom {
  scores: Float32Array;
  weights: Float32Array;
}

/** Adds context from neighbouring rows of a session; of several neighbours the best counts. */
export class Lending {
  /** Zero but for the borrowers of the last question, until it is cleared. */
  readonly #lent: RowRoom;
  readonly #borrowers: number[] = [];

  constructor(room: RowRoom) {
    this.#lent = room;
  }

  /** Calls with each row that gets something. */
  lend(
    { ids, scores, said }: Said,
    neighbours: NeighbourLinks,
    scopes: Uint32Array,
    give: (id: number, score: number, said: number) => void,
  ): void {
    if (neighbours.isEmpty) return;
    for (const id of lendersOf(ids, scores)) {
      const score = scores[id] as number;
      const share = said[id] as number;
      const before = neighbours.before(id, scopes);
      const after = neighbours.after(id, scopes);
      this.#offer(before, LENT * score, LENT * share);
      this.#offer(after, LENT * score, LENT * share);
      this.#offer(neighbours.before(before, scopes), LENT_FURTHER * score, LENT_FURTHER * share);
      this.#offer(neighbours.after(after, scopes), LENT_FURTHER * score, LENT_FURTHER * share);
    }
    for (const id of this.#borrowers) give(id, this.#lent.scores[id] as number, this.#lent.weights[id] as number);
  }

  /** How much of what a row was last said to say was lent to it. */
  lentTo(id: number): number {
    return this.#lent.weights[id] ?? 0;
  }

  #offer(id: number, score: number, said: number): void {
    if (id === 0) return;
    const { scores, weights } = this.#lent;
    if (scores[id] === 0) this.#borrowers.push(id);
    if (score > (scores[id] as number)) scores[id] = score;
    if (said > (weights[id] as number)) weights[id] = said;
  }

  clear(): void {
    for (const id of this.#borrowers) {
      this.#lent.scores[id] = 0;
      this.#lent.weights[id] = 0;
    }
    this.#borrowers.length = 0;
  }
}

/** The best rows, as many as may lend; in whatever order the rows were found, the same. */
export function lendersOf(ids: Uint32Array, scores: Float32Array): Uint32Array {
  const least = leastLender(ids, scores);
  const lenders = ids.filter((id) => (scores[id] as number) >= least);
  if (lenders.length <= MAX_LENDERS) return lenders;
  return lenders.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b).subarray(0, MAX_LENDERS);
}

/** The score from which on rows lend: of the best, as many as there may be. */
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
