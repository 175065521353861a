import { unpacked } from "./field-weights.ts";
import type { Weighed } from "./heaviest.ts";
import type { Term } from "./terms.ts";
import type { WordIndex } from "./word-index.ts";

// Saturation and length of BM25F (Robertson and Zaragoza 2009).
const K1 = 1.2;
const B = 0.75;

/**
 * BM25F over all rows that hold a term and lie in one of the scopes: fields are weighed into one frequency, which is
 * saturated once. Its arrays are kept between questions, with all scores zero between them.
 */
export class Bm25 {
  #scores = new Float32Array(0);
  #touched = new Uint32Array(0);
  #length = 0;

  /** Scores hold until the next call. */
  weigh(index: WordIndex, terms: readonly Term[], scopes: readonly string[]): Weighed {
    this.#clear();
    const allowed = index.rows.flagsOf(scopes);
    this.#reserve(index.rows.upTo + 1);
    for (const term of terms) this.#add(index, term, allowed);
    return { ids: this.#touched, scores: this.#scores, length: this.#length };
  }

  #add(index: WordIndex, { text, isGram, idf }: Term, allowed: Uint8Array): void {
    const { posting, recent } = index.holders(text, isGram);
    const { scopes, lengths, usualLength } = index.rows;
    const { changed } = index;
    const scores = this.#scores;
    const touched = this.#touched;
    const most = idf * (K1 + 1);
    const base = K1 * (1 - B);
    const slope = (K1 * B) / usualLength;
    const { ids, impacts } = posting;
    const skips = changed.size > 0;
    let length = this.#length;
    for (let at = 0; at < posting.length; at++) {
      const id = ids[at] as number;
      if (allowed[scopes[id] as number] !== 1 || (skips && changed.has(id))) continue;
      const frequency = unpacked(impacts[at] as number);
      const before = scores[id] as number;
      if (before === 0) {
        touched[length] = id;
        length += 1;
      }
      scores[id] = before + (most * frequency) / (frequency + base + slope * (lengths[id] as number));
    }
    for (const [id, frequency] of recent) {
      if (allowed[scopes[id] as number] !== 1) continue;
      const before = scores[id] as number;
      if (before === 0) {
        touched[length] = id;
        length += 1;
      }
      scores[id] = before + (most * frequency) / (frequency + base + slope * (lengths[id] as number));
    }
    this.#length = length;
  }

  #clear(): void {
    for (let at = 0; at < this.#length; at++) this.#scores[this.#touched[at] as number] = 0;
    this.#length = 0;
  }

  #reserve(rows: number): void {
    if (rows <= this.#scores.length) return;
    const room = Math.max(1024, Math.ceil(1.25 * rows));
    this.#scores = new Float32Array(room);
    this.#touched = new Uint32Array(room);
  }
}
