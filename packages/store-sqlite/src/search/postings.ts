import type { Connection } from "../connection.ts";
import { FIELD_WEIGHTS, keyOf, packed } from "./field-weights.ts";
import { PackedRows } from "./packed-rows.ts";

/** Of its key, its rows and its place in a map: what a term of no row costs, too. */
const BYTES_A_TERM = 400;
/** For a million rows: hundreds of the most frequent terms, or tens of thousands of ordinary ones. */
const MAX_BYTES = 64 * 1024 * 1024;
/** So few places are read as fast as counted. */
const ALWAYS_READ = 4096;
/** Counting takes a tenth of reading: where so many may stand, it comes first, and only what is asked for is read. */
const COUNTED_FIRST = 150_000;
const EVERY_PLACE = 2 ** 40;

/**
 * Rows of the terms that were asked for lately. The text index gives them one occurrence at a time, a third of a
 * microsecond each; from here a hundred rows are ranked in that time.
 */
export class Postings {
  readonly #connection: Connection;
  /** In the order of their last use. */
  readonly #kept = new Map<string, PackedRows>();
  #bytes = 0;
  /** In how many rows those terms stand that were counted and not read, as of the last fold. */
  readonly #counted = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @param upTo rows past this id are left out: they are known elsewhere. */
  of(text: string, isGram: boolean, upTo: number): PackedRows {
    const key = keyOf(text, isGram);
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    return this.#keep(key, this.#read(text, isGram, upTo) ?? new PackedRows());
  }

  /**
   * In how many rows a term stands. Who counts terms asks for most of them next: the rows are read at once, unless they
   * are, or may be, too many for that.
   */
  count(text: string, isGram: boolean, upTo: number, bound: number): number {
    const key = keyOf(text, isGram);
    const known = this.#kept.get(key)?.length ?? this.#counted.get(key);
    if (known !== undefined) return known;
    const most = Math.max(2 * bound, ALWAYS_READ);
    const rows = most < COUNTED_FIRST ? this.#read(text, isGram, upTo, most) : undefined;
    if (rows) return this.#keep(key, rows).length;
    const count = this.#connection.get<{ doc: number }>("SELECT doc FROM memory_terms WHERE term = ?", text)?.doc ?? 0;
    this.#counted.set(key, count);
    return count;
  }

  /** Appends rows that came since: ascending ids with their weighted frequencies, for every term kept. */
  extend(added: (key: string) => readonly (readonly [id: number, frequency: number])[]): void {
    this.#counted.clear();
    for (const [key, rows] of this.#kept) {
      this.#bytes -= bytesOf(rows);
      for (const [id, frequency] of added(key)) rows.append(id, packed(frequency));
      this.#bytes += bytesOf(rows);
    }
    this.#shrink();
  }

  forget(): void {
    this.#kept.clear();
    this.#counted.clear();
    this.#bytes = 0;
  }

  #keep(key: string, rows: PackedRows): PackedRows {
    this.#kept.set(key, rows);
    this.#bytes += bytesOf(rows);
    this.#shrink();
    return rows;
  }

  #shrink(): void {
    for (const [key, rows] of this.#kept) {
      if (this.#bytes <= MAX_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(key);
      this.#bytes -= bytesOf(rows);
    }
  }

  /** Undefined when the term stands in more places than these. */
  #read(text: string, isGram: boolean, upTo: number, most = EVERY_PLACE): PackedRows | undefined {
    const places = this.#connection.ids(isGram ? GRAM_PLACES : WORD_PLACES, text, most + 1);
    if (places.length > most) return undefined;
    const rows = new PackedRows();
    let [id, impact] = [0, 0];
    for (const place of places) {
      const weight = WEIGHTS[place % STEP];
      if (weight === undefined) continue;
      const next = Math.floor(place / STEP);
      if (next > upTo) break;
      if (next !== id) {
        if (impact > 0) rows.append(id, impact);
        [id, impact] = [next, 0];
      }
      impact = Math.min(255, impact + packed(weight));
    }
    if (impact > 0) rows.append(id, impact);
    return rows.trim();
  }
}

const bytesOf = (rows: PackedRows): number => BYTES_A_TERM + rows.size;

const COLUMNS = ["title", "tags", "words", "grams"] as const;
const WEIGHTS = COLUMNS.map((column) => FIELD_WEIGHTS[column]);
const ELSEWHERE = COLUMNS.length;
const STEP = COLUMNS.length + 1;
// A row and a column in one number: a list of those is read in half the time of two columns. The column that most
// occurrences stand in is asked for first; what stands elsewhere is passed over here, which costs less than a condition.
const placesIn = (columns: readonly (typeof COLUMNS)[number][]) =>
  `SELECT ${STEP} * doc + CASE col ${columns.map((name) => `WHEN '${name}' THEN ${COLUMNS.indexOf(name)}`).join(" ")} ELSE ${ELSEWHERE} END
   FROM (SELECT doc, col FROM memory_term_places WHERE term = ? LIMIT ?)`;
const WORD_PLACES = placesIn(["words", "title", "tags"]);
const GRAM_PLACES = placesIn(["grams", "title", "tags"]);
