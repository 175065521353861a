import type { Connection } from "../connection.ts";
import { FIELD_WEIGHTS, keyOf, packed } from "./field-weights.ts";
import { grown } from "./row-table.ts";

/** The rows of one term, by ascending id, each with its weighted frequency in halves. */
export interface Posting {
  readonly ids: Uint32Array;
  readonly impacts: Uint8Array;
  readonly length: number;
}

const BYTES_A_ROW = 5;
/** Of its key, its arrays and its place in a map: what a term of no row costs, too. */
const BYTES_A_TERM = 400;
/** For a million rows: a hundred of the most frequent terms, or thousands of ordinary ones. */
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
  readonly #kept = new Map<string, Posting>();
  #bytes = 0;
  /** In how many rows those terms stand that were counted and not read, as of the last fold. */
  readonly #counted = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** @param upTo rows past this id are left out: they are known elsewhere. */
  of(text: string, isGram: boolean, upTo: number): Posting {
    const key = keyOf(text, isGram);
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    return this.#keep(key, this.#read(text, isGram, upTo) ?? NOWHERE);
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
    const posting = most < COUNTED_FIRST ? this.#read(text, isGram, upTo, most) : undefined;
    if (posting) return this.#keep(key, posting).length;
    const rows = this.#connection.get<{ doc: number }>("SELECT doc FROM memory_terms WHERE term = ?", text)?.doc ?? 0;
    this.#counted.set(key, rows);
    return rows;
  }

  /** Appends rows that came since: ascending ids with their weighted frequencies, for every term kept. */
  extend(added: (key: string) => readonly (readonly [id: number, frequency: number])[]): void {
    this.#counted.clear();
    for (const [key, posting] of [...this.#kept]) {
      const rows = added(key);
      this.#bytes -= bytesOf(posting);
      this.#kept.set(key, { ...withRoom(posting, rows.length), length: posting.length + rows.length });
      const kept = this.#kept.get(key) as Posting;
      for (const [at, [id, frequency]] of rows.entries()) {
        kept.ids[posting.length + at] = id;
        kept.impacts[posting.length + at] = packed(frequency);
      }
      this.#bytes += bytesOf(kept);
    }
    this.#shrink();
  }

  forget(): void {
    this.#kept.clear();
    this.#counted.clear();
    this.#bytes = 0;
  }

  #keep(key: string, posting: Posting): Posting {
    this.#kept.set(key, posting);
    this.#bytes += bytesOf(posting);
    this.#shrink();
    return posting;
  }

  #shrink(): void {
    for (const [key, posting] of this.#kept) {
      if (this.#bytes <= MAX_BYTES || this.#kept.size === 1) return;
      this.#kept.delete(key);
      this.#bytes -= bytesOf(posting);
    }
  }

  /** Undefined when the term stands in more places than these. */
  #read(text: string, isGram: boolean, upTo: number, most = EVERY_PLACE): Posting | undefined {
    const found = this.#connection.get<{ places: string }>(isGram ? GRAM_PLACES : WORD_PLACES, text, most + 1);
    const places = JSON.parse(found?.places ?? "[]") as number[];
    if (places.length > most) return undefined;
    const ids = new Uint32Array(places.length);
    const impacts = new Uint8Array(places.length);
    let length = 0;
    for (const place of places) {
      const id = Math.floor(place / 4);
      if (id > upTo) break;
      const impact = packed(WEIGHTS[place % 4] ?? 0);
      if (length > 0 && ids[length - 1] === id) {
        impacts[length - 1] = Math.min(255, (impacts[length - 1] ?? 0) + impact);
        continue;
      }
      ids[length] = id;
      impacts[length] = impact;
      length += 1;
    }
    return { ids: ids.slice(0, length), impacts: impacts.slice(0, length), length };
  }
}

const NOWHERE: Posting = { ids: new Uint32Array(0), impacts: new Uint8Array(0), length: 0 };
const bytesOf = ({ ids }: Posting): number => BYTES_A_TERM + BYTES_A_ROW * ids.length;

function withRoom({ ids, impacts, length }: Posting, more: number): Pick<Posting, "ids" | "impacts"> {
  if (length + more <= ids.length) return { ids, impacts };
  const room = Math.ceil(1.2 * (length + more)) + 4;
  return { ids: grown(new Uint32Array(room), ids), impacts: grown(new Uint8Array(room), impacts) };
}

// A row and a column in one number: a list of those is read in half the time of two columns.
const COLUMNS = ["title", "tags", "words", "grams"] as const;
const WEIGHTS = COLUMNS.map((column) => FIELD_WEIGHTS[column]);
const placesIn = (columns: readonly (typeof COLUMNS)[number][]) =>
  `SELECT json_group_array(4 * doc + CASE col ${columns.map((name) => `WHEN '${name}' THEN ${COLUMNS.indexOf(name)}`).join(" ")} END)
     AS places FROM (SELECT doc, col FROM memory_term_places
   WHERE term = ? AND col IN (${columns.map((name) => `'${name}'`).join(", ")}) LIMIT ?)`;
const WORD_PLACES = placesIn(["title", "tags", "words"]);
const GRAM_PLACES = placesIn(["title", "tags", "grams"]);
