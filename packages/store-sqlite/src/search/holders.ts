import type { Connection } from "../connection.ts";
import { matchExpression, type Term } from "./terms.ts";

const BINS = 512;

/**
 * The rows that hold a question's rarest terms, by how much what they hold tells. Walking a term's rows without ranking
 * them costs a tenth of BM25 in the index, which counts every term again and looks up every row's length.
 */
export class Holders {
  readonly #connection: Connection;
  /** Sum of the weights of the terms a row holds, by its id; kept between questions, and zero between them. */
  #weights = new Float32Array(0);

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Ids in groups, the heaviest first, each of roughly `size` rows or what is left.
   * @param budget index entries that may be walked; the rarest term always is.
   */
  *of(terms: readonly Term[], size: number, budget: number): Generator<number[]> {
    const ids = this.#walk(terms, budget);
    try {
      const bins = this.#bins(ids);
      let group: number[] = [];
      for (const bin of bins.reverse()) {
        group.push(...bin.sort((a, b) => (this.#weights[b] ?? 0) - (this.#weights[a] ?? 0) || a - b));
        if (group.length < size) continue;
        yield group;
        group = [];
      }
      if (group.length > 0) yield group;
    } finally {
      for (const id of ids) this.#weights[id] = 0;
    }
  }

  #walk(terms: readonly Term[], budget: number): number[] {
    const touched: number[] = [];
    let walked = 0;
    for (const [at, term] of terms.entries()) {
      walked += term.count;
      if (at > 0 && walked > budget) break;
      const sql = "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?";
      for (const id of this.#connection.ids(sql, matchExpression([term], undefined))) {
        this.#reserve(id);
        if (this.#weights[id] === 0) touched.push(id);
        this.#weights[id] = (this.#weights[id] ?? 0) + term.idf;
      }
    }
    return touched;
  }

  #bins(ids: readonly number[]): number[][] {
    let heaviest = 0;
    for (const id of ids) heaviest = Math.max(heaviest, this.#weights[id] ?? 0);
    const bins: number[][] = Array.from({ length: BINS }, () => []);
    for (const id of ids) bins[Math.floor(((this.#weights[id] ?? 0) / heaviest) * (BINS - 1))]?.push(id);
    return bins;
  }

  #reserve(id: number): void {
    if (id < this.#weights.length) return;
    const larger = new Float32Array(Math.max(1024, 2 * id));
    larger.set(this.#weights);
    this.#weights = larger;
  }
}
