import { unpacked } from "./field-weights.ts";
import { lendersOf, Neighbourhood } from "./neighbour-context.ts";
import { grown, type RankedIndex, type RankedRows, UnpackedRows } from "./ranked-index.ts";
import type { QueryUnit, Way } from "./term-alternatives.ts";
import type { Choice } from "./terms.ts";

// Saturation and length of BM25F (Robertson and Zaragoza 2009).
export const K1 = 1.2;
export const B = 0.75;

/** Upper bound of the score: that of a row which repeats exactly the question. */
export const bestScore = ({ wholeWeight }: Pick<Choice, "wholeWeight">): number => (K1 + 1) * wholeWeight;

/** Rows that contain a term of the question: their ids, and by id score and coverage. */
export interface WeighedFields {
  readonly ids: Uint32Array;
  readonly scores: Float32Array;
  /** Weight of the units in a row, each counted once. */
  readonly coverage: Float32Array;
  /** Part of it that comes from neighbours. */
  lentTo(id: number): number;
}

/**
 * BM25F over all visible rows with a term: fields are combined into one frequency, which is saturated once; of several
 * forms of a unit a row's best one counts. The arrays are reused between questions, with all scores zero in between.
 */
export class Bm25 {
  #scores = new Float32Array(0);
  #coverage = new Float32Array(0);
  #touched = new Uint32Array(0);
  #length = 0;
  /** Best form by row for the current unit, for rows that may contain several. */
  readonly #best = { scores: new Float32Array(0), weights: new Float32Array(0) };
  readonly #neighbourhood = new Neighbourhood();
  readonly #borrowed = new Borrowed();
  /** Rows of each term of a form. */
  readonly #unpacked: UnpackedRows[] = [];
  /** Rows that have a best form. */
  #offered = new Uint32Array(0);
  #offers = 0;

  /** Scores all rows. The result is valid until the next call. */
  weigh(index: RankedIndex, { units, wholeWeight }: Choice, visible: RankedRows): WeighedFields {
    this.#clear();
    this.#reserve(index.rows.upTo + 1);
    for (const each of units) this.#add(index, each, visible);
    this.#neighbourhood.gather(this.#weighed(), index);
    if (this.#neighbourhood.borrowers > 0) this.#borrow(index, units, visible);
    this.#reward(wholeWeight);
    return this.#weighed();
  }

  /** Best rows, which lend to their neighbours, for an index that must load the neighbours first. */
  lenders(index: RankedIndex, { units }: Choice, visible: RankedRows): Uint32Array {
    this.#clear();
    this.#reserve(index.rows.upTo + 1);
    for (const each of units) this.#add(index, each, visible);
    return lendersOf(this.touched, this.#scores);
  }

  /** Rows scored by the last call. */
  get touched(): Uint32Array {
    return this.#touched.subarray(0, this.#length);
  }

  #weighed(): WeighedFields {
    const ids = this.touched;
    const lentTo = (id: number) => this.#borrowed.lent[this.#neighbourhood.placeOf(id) - 1] ?? 0;
    return { ids, scores: this.#scores, coverage: this.#coverage, lentTo };
  }

  /**
   * Scores the best rows and their neighbours again with context: the neighbours' frequencies add to a row's
   * frequencies, and their lengths to its length, before saturation.
   */
  #borrow(index: RankedIndex, units: readonly QueryUnit[], { allowed, parts, usualLength }: RankedRows): void {
    const near = this.#neighbourhood;
    const borrowed = this.#borrowed;
    borrowed.reset(near.members.length, near.borrowers);
    const skipped = index.changed.size > 0 ? index.changed : undefined;
    for (const { ways } of units) {
      for (const { terms, weight } of ways) {
        for (const part of parts)
          borrowed.read(index, rowsOf(index, terms, part.number, this.#unpacked), near, {
            allowed: part.allowed,
            skipped,
          });
        borrowed.read(index, recentOf(index, terms, this.#unpacked), near, { allowed });
        borrowed.offer(near, weight, usualLength);
      }
      borrowed.count(near.borrowers);
    }
    for (let at = 0; at < near.borrowers; at++) {
      const id = near.members[at] as number;
      const score = borrowed.scores[at] as number;
      if (score === 0) continue;
      if (this.#scores[id] === 0) {
        this.#touched[this.#length] = id;
        this.#length += 1;
      }
      this.#scores[id] = score;
      this.#coverage[id] = borrowed.coverage[at] as number;
    }
  }

  /**
   * Raises rows that cover more of the question above rows that repeat one part; the square root was best on the tuned
   * questions.
   */
  #reward(wholeWeight: number): void {
    for (let at = 0; at < this.#length; at++) {
      const id = this.#touched[at] as number;
      const share = (this.#coverage[id] as number) / wholeWeight;
      this.#scores[id] = (this.#scores[id] as number) * Math.sqrt(share);
    }
  }

  #add(index: RankedIndex, { ways }: QueryUnit, { allowed, parts, usualLength }: RankedRows): void {
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
    this.#coverage[id] = (this.#coverage[id] as number) + weight;
  }

  /** Records a form's score for a row, if it is the best. */
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

  // One loop without a callback, because it runs for every row of every term.
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
    this.#neighbourhood.clear();
    this.#borrowed.reset(0, 0);
    // Clears what a failed question left behind.
    for (let at = 0; at < this.#offers; at++) {
      const id = this.#offered[at] as number;
      this.#best.scores[id] = 0;
      this.#best.weights[id] = 0;
    }
    this.#offers = 0;
    for (let at = 0; at < this.#length; at++) {
      const id = this.#touched[at] as number;
      this.#scores[id] = 0;
      this.#coverage[id] = 0;
    }
    this.#length = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.#scores.length) return;
    const room = Math.max(1024, Math.ceil(1.25 * rows));
    this.#scores = new Float32Array(room);
    this.#coverage = new Float32Array(room);
    this.#best.scores = new Float32Array(room);
    this.#best.weights = new Float32Array(room);
    this.#offered = new Uint32Array(room);
    this.#touched = grown(new Uint32Array(room), this.#touched);
  }
}

/** Scores of rows with context, by index in the neighbourhood. */
class Borrowed {
  scores = new Float32Array(0);
  /** Weight of the units, and the part that comes from neighbours. */
  coverage = new Float32Array(0);
  lent = new Float32Array(0);
  /** Frequency of one form, by row. */
  #frequencies = new Float32Array(0);
  #best = new Float32Array(0);
  #own = new Float32Array(0);
  #shared = new Float32Array(0);

  reset(members: number, borrowers: number): void {
    if (members > this.#frequencies.length) this.#frequencies = new Float32Array(2 * members);
    if (borrowers > this.scores.length) {
      const room = () => new Float32Array(2 * borrowers);
      [this.scores, this.coverage, this.lent] = [room(), room(), room()];
      [this.#best, this.#own, this.#shared] = [room(), room(), room()];
    }
    for (const each of [this.scores, this.coverage, this.lent, this.#best, this.#own, this.#shared]) each.fill(0);
    this.#frequencies.fill(0);
  }

  read(
    { rows }: RankedIndex,
    { ids, impacts, length }: Rows,
    near: Neighbourhood,
    { allowed, skipped }: Reading,
  ): void {
    for (let at = 0; at < length; at++) {
      const id = ids[at] as number;
      const place = near.placeOf(id);
      if (place === 0 || allowed[rows.scopes[id] as number] !== 1 || skipped?.has(id)) continue;
      this.#frequencies[place - 1] = unpacked(impacts[at] as number);
    }
  }

  /** Keeps the form's score where it is the best, and resets for the next form. */
  offer(near: Neighbourhood, weight: number, usualLength: number): void {
    const frequencies = this.#frequencies;
    for (let at = 0; at < near.borrowers; at++) {
      const own = frequencies[at] as number;
      const frequency = own + near.lentTo(at, frequencies);
      if (frequency === 0) continue;
      const score =
        (weight * (K1 + 1) * frequency) / (frequency + K1 * (1 - B + (B * (near.lengths[at] as number)) / usualLength));
      if (score > (this.#best[at] as number)) this.#best[at] = score;
      if (own > 0) this.#own[at] = Math.max(this.#own[at] as number, weight);
      else this.#shared[at] = Math.max(this.#shared[at] as number, weight * near.shareOf(at, frequencies));
    }
    frequencies.fill(0, 0, near.members.length);
  }

  /** Adds the scores of a unit. */
  count(borrowers: number): void {
    for (let at = 0; at < borrowers; at++) {
      const own = this.#own[at] as number;
      const lent = Math.max(0, (this.#shared[at] as number) - own);
      this.scores[at] = (this.scores[at] as number) + (this.#best[at] as number);
      this.coverage[at] = (this.coverage[at] as number) + own + lent;
      this.lent[at] = (this.lent[at] as number) + lent;
      this.#best[at] = 0;
      this.#own[at] = 0;
      this.#shared[at] = 0;
    }
  }
}

interface Reading {
  readonly allowed: Uint8Array;
  /** Rows to skip. */
  readonly skipped?: ReadonlySet<number> | undefined;
}

interface Walk {
  readonly weight: number;
  /** Whether this is the only form of the unit. */
  readonly isSole: boolean;
  readonly usualLength: number;
  readonly allowed: Uint8Array;
  /** Rows to skip. */
  readonly skipped?: ReadonlySet<number> | undefined;
}

interface Rows {
  readonly ids: Uint32Array;
  readonly impacts: Uint8Array;
  readonly length: number;
}

/** Rows that contain all of some terms, in one scope or in any; each counts as often as its rarest term there. */
function rowsOf(index: RankedIndex, terms: Way["terms"], scope: number | undefined, room: UnpackedRows[]): Rows {
  const lists = terms.map(({ text, isGram }, nth) => {
    room[nth] ??= new UnpackedRows();
    index.rowsOf(text, isGram, scope).unpack(room[nth]);
    return room[nth];
  });
  return inAll(lists);
}

/** Rows of a term among recently added or changed rows, in any scope. */
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
