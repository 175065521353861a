import { unpacked } from "./field-weights.ts";
import { Lending, lendersOf, type RowRoom } from "./neighbour-context.ts";
import { grown, type RankedIndex, type RankedSight, UnpackedRows } from "./ranked-index.ts";
import type { QueryUnit, Way } from "./term-alternatives.ts";
import type { Choice } from "./terms.ts";

// Saturation and length of BM25F (Robertson and Zaragoza 2009).
export const K1 = 1.2;
export const B = 0.75;

/** The score of a row that says nothing but what was asked for, over and over: no other comes as high. */
export const bestScore = ({ wholeWeight }: Pick<Choice, "wholeWeight">): number => (K1 + 1) * wholeWeight;

/** The rows that say anything of what was asked: ids, and by id how well and how much of it. */
export interface WeighedFields {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  /** Weight of what a row says, however often it says it. */
  readonly said: Float32Array;
  /** How much of that is not in the row, but beside it. */
  lentTo(id: number): number;
}

/**
 * BM25F over all rows in sight that hold a term: fields are weighed into one frequency, which is
 * saturated once; of several ways to say one thing a row's best one counts. The arrays are kept between questions, with
 * all scores zero between them.
 */
export class Bm25 {
  #scores = new Float32Array(0);
  #said = new Float32Array(0);
  #touched = new Uint32Array(0);
  #length = 0;
  /** Of the thing being weighed, the best way that rows say it, for rows that may say it in more than one; then what is lent. */
  readonly #best: RowRoom = { scores: new Float32Array(0), weights: new Float32Array(0) };
  readonly #lending = new Lending(this.#best);
  /** Of the terms of one way to say a thing. */
  readonly #unpacked: UnpackedRows[] = [];
  /** Rows that have a best way. */
  #offered = new Uint32Array(0);
  #offers = 0;

  /** The result holds until the next call. */
  weigh(index: RankedIndex, { asked, wholeWeight }: Choice, sight: RankedSight): WeighedFields {
    this.#clear();
    this.#reserve(index.rows.upTo + 1);
    for (const each of asked) this.#add(index, each, sight);
    this.#lending.lend(this.#weighed(), index.neighbours, index.rows.scopes, (id, score, said) =>
      this.#count(id, score, said),
    );
    this.#reward(wholeWeight);
    return this.#weighed();
  }

  /** The rows that would lend to their neighbours, for an index that does not know those yet. */
  lenders(index: RankedIndex, { asked }: Choice, sight: RankedSight): Uint32Array {
    this.#clear();
    this.#reserve(index.rows.upTo + 1);
    for (const each of asked) this.#add(index, each, sight);
    return lendersOf(this.#touched.subarray(0, this.#length), this.#scores);
  }

  #weighed(): WeighedFields {
    const ids = this.#touched.subarray(0, this.#length);
    const lentTo = (id: number) => this.#lending.lentTo(id);
    return { ids, scores: this.#scores, said: this.#said, lentTo };
  }

  /**
   * Rewards rows that cover more of the question over rows that repeat one part; the square root won on the tuned
   * questions.
   */
  #reward(wholeWeight: number): void {
    for (let at = 0; at < this.#length; at++) {
      const id = this.#touched[at] as number;
      const share = (this.#said[id] as number) / wholeWeight;
      this.#scores[id] = (this.#scores[id] as number) * Math.sqrt(share);
    }
  }

  #add(index: RankedIndex, { ways }: QueryUnit, { allowed, parts, usualLength }: RankedSight): void {
    const isSole = ways.length === 1;
    const skipped = index.changed.size > 0 ? index.changed : undefined;
    for (const { terms, weight } of ways) {
      const walk = { weight, isSole, usualLength };
      for (const part of parts)
        this.#walk(index, rowsOf(index, terms, part.number, this.#unpacked), {
          ...walk,
          allowed: part.allowed,
          skipped,
        });
      this.#walk(index, recentOf(index, terms, this.#unpacked), { ...walk, allowed });
    }
    this.#countBest();
  }

  #count(id: number, score: number, weight: number): void {
    if (this.#scores[id] === 0) {
      this.#touched[this.#length] = id;
      this.#length += 1;
    }
    this.#scores[id] = (this.#scores[id] as number) + score;
    this.#said[id] = (this.#said[id] as number) + weight;
  }

  /** Takes one of several ways to say a thing; the best one counts. */
  #offer(id: number, score: number, weight: number): void {
    const { scores, weights } = this.#best;
    if (scores[id] === 0) {
      this.#offered[this.#offers] = id;
      this.#offers += 1;
    }
    if (score <= (scores[id] as number)) return;
    scores[id] = score;
    weights[id] = Math.max(weight, weights[id] as number);
  }

  #countBest(): void {
    const { scores, weights } = this.#best;
    for (let at = 0; at < this.#offers; at++) {
      const id = this.#offered[at] as number;
      this.#count(id, scores[id] as number, weights[id] as number);
      scores[id] = 0;
      weights[id] = 0;
    }
    this.#offers = 0;
  }

  // One loop without a callback: it runs for every row of every term.
  #walk({ rows }: RankedIndex, { ids, impacts, length }: Rows, walk: Walk): void {
    const { weight, isSole, usualLength, allowed, skipped } = walk;
    const { scopes, lengths } = rows;
    const most = weight * (K1 + 1);
    const base = K1 * (1 - B);
    const slope = (K1 * B) / usualLength;
    for (let at = 0; at < length; at++) {
      const id = ids[at] as number;
      if (allowed[scopes[id] as number] !== 1 || skipped?.has(id)) continue;
      const frequency = unpacked(impacts[at] as number);
      const score = (most * frequency) / (frequency + base + slope * (lengths[id] as number));
      if (isSole) this.#count(id, score, weight);
      else this.#offer(id, score, weight);
    }
  }

  #clear(): void {
    this.#lending.clear();
    // Of a question that failed half way.
    for (let at = 0; at < this.#offers; at++) {
      const id = this.#offered[at] as number;
      this.#best.scores[id] = 0;
      this.#best.weights[id] = 0;
    }
    this.#offers = 0;
    for (let at = 0; at < this.#length; at++) {
      const id = this.#touched[at] as number;
      this.#scores[id] = 0;
      this.#said[id] = 0;
    }
    this.#length = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.#scores.length) return;
    const room = Math.max(1024, Math.ceil(1.25 * rows));
    this.#scores = new Float32Array(room);
    this.#said = new Float32Array(room);
    this.#best.scores = new Float32Array(room);
    this.#best.weights = new Float32Array(room);
    this.#offered = new Uint32Array(room);
    this.#touched = grown(new Uint32Array(room), this.#touched);
  }
}

interface Walk {
  readonly weight: number;
  /** Is there no other way to say the thing. */
  readonly isSole: boolean;
  readonly usualLength: number;
  readonly allowed: Uint8Array;
  /** Rows that do not count. */
  readonly skipped?: ReadonlySet<number> | undefined;
}

interface Rows {
  readonly ids: Uint32Array;
  readonly impacts: Uint8Array;
  readonly length: number;
}

/** The rows that hold all of some terms, in one scope or in any; each counts as often as its rarest term there. */
function rowsOf(index: RankedIndex, terms: Way["terms"], scope: number | undefined, room: UnpackedRows[]): Rows {
  const lists = terms.map(({ text, isGram }, nth) => {
    room[nth] ??= new UnpackedRows();
    index.rowsOf(text, isGram, scope).unpack(room[nth]);
    return room[nth];
  });
  return inAll(lists);
}

/** The same of what came or changed lately, in any scope. */
function recentOf(index: RankedIndex, terms: Way["terms"], room: UnpackedRows[]): Rows {
  const lists = terms.map(({ text, isGram }, nth) => {
    room[nth] ??= new UnpackedRows();
    const { ids, impacts } = index.recentOf(text, isGram);
    const list = room[nth].withRoom(ids.length);
    for (let at = 0; at < ids.length; at++) {
      list.ids[at] = ids[at] as number;
      list.impacts[at] = impacts[at] as number;
    }
    return list;
  });
  return inAll(lists);
}

/** Intersects lists of rows. */
function inAll(lists: UnpackedRows[]): Rows {
  const [first, ...others] = lists.sort((a, b) => a.length - b.length);
  if (!first) return NO_ROWS;
  const { ids, impacts, length } = first;
  if (others.length === 0) return { ids, impacts, length };
  let kept = 0;
  const at = others.map(() => 0);
  for (let place = 0; place < length; place++) {
    const id = ids[place] as number;
    let least = impacts[place] as number;
    for (const [nth, rows] of others.entries()) {
      let from = at[nth] as number;
      while (from < rows.length && (rows.ids[from] as number) < id) from += 1;
      at[nth] = from;
      least = from < rows.length && rows.ids[from] === id ? Math.min(least, rows.impacts[from] as number) : 0;
      if (least === 0) break;
    }
    if (least === 0) continue;
    ids[kept] = id;
    impacts[kept] = least;
    kept += 1;
  }
  return { ids, impacts, length: kept };
}

const NO_ROWS: Rows = { ids: new Uint32Array(0), impacts: new Uint8Array(0), length: 0 };
