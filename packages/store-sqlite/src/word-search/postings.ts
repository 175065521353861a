import { FIELD_WEIGHTS, type Holders, keyOf, packed, UnpackedRows } from "@chest/core/recall";
import type { Connection } from "../database/connection.ts";
import { Doclists } from "./fts5/doclists.ts";
import { PackedRows, type Scope } from "./packed-rows.ts";
import { PagePool } from "./page-pool.ts";

/** Approximate memory of a key and its map entry, even without rows. */
const BYTES_A_TERM = 256;
/** Enough, for a million rows, for hundreds of very frequent or tens of thousands of ordinary terms. */
const MAX_BYTES = 48 * 1024 * 1024;
/** Shorter lists are not split by scope, because scanning them is as fast. */
const WORTH_PARTING = 512;

/**
 * Cache of the rows of recently asked terms. Reading a term again from the text index would cost as much as ranking
 * its rows from here several times over.
 */
export class Postings {
  readonly #connection: Connection;
  readonly #mostBytes: number;
  readonly #doclists: Doclists;
  /** In order of last use. */
  readonly #kept = new Map<string, CachedPostings>();
  #bytes = 0;
  readonly #pool = new PagePool();
  /** Read into and copied from, within one call. */
  readonly #rooms = [new UnpackedRows(), new UnpackedRows(), new UnpackedRows()] as const;

  constructor(connection: Connection, mostBytes = MAX_BYTES) {
    this.#connection = connection;
    this.#mostBytes = mostBytes;
    this.#doclists = new Doclists(connection, this.#rooms);
  }

  /**
   * Rows of a term. The result is valid until the next call, which may reuse pages.
   * @param upTo leaves out later rows, which are kept elsewhere
   */
  of(text: string, isGram: boolean, upTo: number): PackedRows {
    const key = keyOf(text, isGram);
    const known = this.#used(key);
    if (known) return known;
    // The index holds nothing that is not known elsewhere.
    const rows = upTo === 0 ? new PackedRows(this.#pool) : this.#read(text, isGram, upTo);
    return this.#keep(key, { key, rows });
  }

  /**
   * Rows of a term in one scope, so that a query in a small scope does not scan all rows; for a rare term, all its
   * rows. Cached like a whole term.
   */
  within(scope: Scope, text: string, isGram: boolean, upTo: number): PackedRows {
    const key = keyOf(text, isGram);
    const name = `${scope.number} ${key}`;
    const known = this.#used(name);
    if (known) return known;
    const all = this.of(text, isGram, upTo);
    if (all.length < WORTH_PARTING) return all;
    const [room] = this.#rooms;
    all.unpack(room, scope);
    const rows = new PackedRows(this.#pool);
    for (let at = 0; at < room.length; at++) rows.append(room.ids[at] as number, room.impacts[at] as number);
    return this.#keep(name, { key, rows, scope: scope.number });
  }

  /** Discards the cached lists of a scope after older rows were moved into it. */
  forgetScope(number: number): void {
    for (const [name, kept] of this.#kept) if (kept.scope === number) this.#drop(name, kept);
  }

  /**
   * Appends new rows to every cached term.
   * @param scopes scope number of each row by id
   */
  extend(added: (key: string) => Holders, scopes: Uint32Array): void {
    for (const { key, rows, scope } of this.#kept.values()) {
      this.#bytes -= bytesOf(rows);
      const { ids, impacts } = added(key);
      for (const [at, id] of ids.entries())
        if (scope === undefined || scopes[id] === scope) rows.append(id, impacts[at] as number);
      this.#bytes += bytesOf(rows);
    }
    this.#shrink();
  }

  forget(): void {
    for (const { rows } of this.#kept.values()) rows.clear();
    this.#kept.clear();
    this.#bytes = 0;
  }

  #used(name: string): PackedRows | undefined {
    const known = this.#kept.get(name);
    if (!known) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, known);
    return known.rows;
  }

  #keep(name: string, cached: CachedPostings): PackedRows {
    this.#kept.set(name, cached);
    this.#bytes += bytesOf(cached.rows);
    this.#shrink();
    return cached.rows;
  }

  #shrink(): void {
    for (const [name, kept] of this.#kept) {
      if (this.#bytes <= this.#mostBytes || this.#kept.size === 1) return;
      this.#drop(name, kept);
    }
  }

  #drop(name: string, { rows }: CachedPostings): void {
    this.#kept.delete(name);
    this.#bytes -= bytesOf(rows);
    rows.clear();
  }

  #read(text: string, isGram: boolean, upTo: number): PackedRows {
    const read = this.#doclists.read(text, isGram ? GRAM_IMPACTS : WORD_IMPACTS);
    if (!read) return this.#readPlaces(text, isGram, upTo);
    const rows = new PackedRows(this.#pool);
    for (let at = 0; at < read.length; at++) {
      const id = read.ids[at] as number;
      if (id > upTo) break;
      rows.append(id, read.impacts[at] as number);
    }
    return rows;
  }

  /** Reads the places of a term from SQLite's vocabulary table, one occurrence at a time. */
  #readPlaces(text: string, isGram: boolean, upTo: number): PackedRows {
    const places = this.#connection.ids(isGram ? GRAM_PLACES : WORD_PLACES, text);
    const rows = new PackedRows(this.#pool);
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
    return rows;
  }
}

interface CachedPostings {
  /** Key of the term. */
  readonly key: string;
  readonly rows: PackedRows;
  /** The one that its rows lie in; undefined: all. */
  readonly scope?: number;
}

const bytesOf = (rows: PackedRows): number => BYTES_A_TERM + rows.size;

const COLUMNS = ["title", "tags", "words", "grams"] as const;
const WEIGHTS = COLUMNS.map((column) => FIELD_WEIGHTS[column]);
// Weights by the number of a column of the index: scope, title, tags, words, grams.
const [ofTitle, ofTags, ofWords, ofGrams] = WEIGHTS.map(packed) as [number, number, number, number];
const WORD_IMPACTS = [0, ofTitle, ofTags, ofWords, 0];
const GRAM_IMPACTS = [0, ofTitle, ofTags, 0, ofGrams];
const ELSEWHERE = COLUMNS.length;
const STEP = COLUMNS.length + 1;
// Row and column packed into one number, which takes half the time of two columns. The most common column is queried
// first; other columns are filtered here, which is cheaper than a condition.
const placesIn = (columns: readonly (typeof COLUMNS)[number][]) =>
  `SELECT ${STEP} * doc + CASE col ${columns.map((name) => `WHEN '${name}' THEN ${COLUMNS.indexOf(name)}`).join(" ")} ELSE ${ELSEWHERE} END
   FROM memory_term_places WHERE term = ?`;
const WORD_PLACES = placesIn(["words", "title", "tags"]);
const GRAM_PLACES = placesIn(["grams", "title", "tags"]);
