import { LENT, LENT_FURTHER } from "@chest/core";
import type { Neighbours } from "./neighbours.ts";

/** Rows that say less than this share of what the best one says lend nothing: it would move nobody that counts. */
const LEAST_OF_BEST = 0.25;
/** More than an answer shows: of rows that all say about as much, the first so many lend. */
const MAX_LENDERS = 400;
const BINS = 64;

/** What rows say by themselves, by id. */
interface Said {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  readonly said: Float32Array;
}

/** What rows get from those that were stored beside them; of several neighbours the one that says most counts. */
export class Lending {
  // By id, all zero but for the borrowers of the last question.
  #scores = new Float32Array(0);
  #said = new Float32Array(0);
  readonly #borrowers: number[] = [];

  /** Calls with each row that gets something. */
  lend(
    { ids, scores, said }: Said,
    neighbours: Neighbours,
    scopes: Uint32Array,
    give: (id: number, score: number, said: number) => void,
  ): void {
    this.#clear();
    if (neighbours.isEmpty) return;
    this.#reserve(scopes.length);
    const least = leastLender(ids, scores);
    let lenders = 0;
    for (const id of ids) {
      const score = scores[id] as number;
      if (score < least) continue;
      if (++lenders > MAX_LENDERS) break;
      const share = said[id] as number;
      const before = neighbours.before(id, scopes);
      const after = neighbours.after(id, scopes);
      this.#offer(before, LENT * score, LENT * share);
      this.#offer(after, LENT * score, LENT * share);
      this.#offer(neighbours.before(before, scopes), LENT_FURTHER * score, LENT_FURTHER * share);
      this.#offer(neighbours.after(after, scopes), LENT_FURTHER * score, LENT_FURTHER * share);
    }
    for (const id of this.#borrowers) give(id, this.#scores[id] as number, this.#said[id] as number);
  }

  /** How much of what a row was last said to say was lent to it. */
  lentTo(id: number): number {
    return this.#said[id] ?? 0;
  }

  #offer(id: number, score: number, said: number): void {
    if (id === 0) return;
    if (this.#scores[id] === 0) this.#borrowers.push(id);
    if (score > (this.#scores[id] as number)) this.#scores[id] = score;
    if (said > (this.#said[id] as number)) this.#said[id] = said;
  }

  #clear(): void {
    for (const id of this.#borrowers) {
      this.#scores[id] = 0;
      this.#said[id] = 0;
    }
    this.#borrowers.length = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.#scores.length) return;
    this.#scores = new Float32Array(rows);
    this.#said = new Float32Array(rows);
  }
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
