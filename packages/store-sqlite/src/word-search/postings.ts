import type { Connection } from "../database/connection.ts";
import { FIELD_WEIGHTS, keyOf, packed } from "./field-weights.ts";
import { Doclists } from "./fts5-doclists.ts";
import { PackedRows, type Scope, UnpackedRows } from "./packed-rows.ts";
import { PagePool } from "./page-pool.ts";
import type { Holders } from "./recent-postings.ts";

/** Of its key and its place in a map: what a term of no row costs, too. */
const BYTES_A_TERM = 256;
/** For a million rows: hundreds of the most frequent terms, or tens of thousands of ordinary ones. */
const MAX_BYTES = 48 * 1024 * 1024;
/** So few places are read as fast as counted. */
const ALWAYS_READ = 4096;
/** Counting takes a tenth of reading: where so many may stand, it comes first, and only what is asked for is read. */
const COUNTED_FIRST = 150_000;
/** Fewer rows are walked as fast as looked up. */
const WORTH_PARTING = 512;
/** A term of more rows is only counted until they are asked for. */
const KEPT_UNASKED = 20_000;
const EVERY_PLACE = 2 ** 40;

/**
 * Rows of the terms that were asked for lately. The text index gives them one occurrence at a time, a third of a
 * microsecond each; from here a hundred rows are ranked in that time.
 */
export class Postings {
  readonly #connection: Connection;
  readonly #mostBytes: number;
  readonly #doclists: Doclists;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  readonly #pool = new PagePool();
  /** Read into and copied from, within one call. */
  readonly #rooms = [new UnpackedRows(), new UnpackedRows(), new UnpackedRows()] as const;
  /** In how many rows those terms stand that were counted and not read, as of the last fold. */
  readonly #counted = new Map<string, number>();
  /** Rows of terms that were only counted, as long as the question lasts that may ask for them next. */
  readonly #unasked = new Map<string, PackedRows>();

  constructor(connection: Connection, mostBytes = MAX_BYTES) {
    this.#connection = connection;
    this.#mostBytes = mostBytes;
    this.#doclists = new Doclists(connection, this.#rooms);
  }

  /**
   * The result holds until the next call: the pages of dropped lists are used again.
   * @param upTo rows past this id are left out: they are known elsewhere.
   */
  of(text: string, isGram: boolean, upTo: number): PackedRows {
    const key = keyOf(text, isGram);
    const known = this.#used(key);
    if (known) return known;
    const rows = this.#unasked.get(key) ?? this.#read(text, isGram, upTo) ?? new PackedRows(this.#pool);
    this.#unasked.delete(key);
    return this.#keep(key, { key, rows });
  }

  /**
   * Of these rows, those that lie in one scope, so that who asks in a small part of a store walks over no other; of a
   * rare term all. They are kept like a term's, and hold as long.
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

  /** Rows have come into a scope that are older than what is kept of it. */
  forgetScope(number: number): void {
    for (const [name, kept] of this.#kept) if (kept.scope === number) this.#drop(name, kept);
  }

  /**
   * In how many rows a term stands. Who counts terms asks for most of them next: the rows are read at once, unless they
   * are, or may be, too many for that.
   */
  count(text: string, isGram: boolean, upTo: number, bound: number): number {
    const key = keyOf(text, isGram);
    const known = this.#kept.get(key)?.rows.length ?? this.#counted.get(key);
    if (known !== undefined) return known;
    const most = Math.max(2 * bound, ALWAYS_READ);
    const rows = this.#read(text, isGram, upTo, most);
    // A term so frequent is mostly counted and then left out: its rows would take the place of those that are walked.
    if (rows && rows.length <= Math.min(most, KEPT_UNASKED)) return this.#keep(key, { key, rows }).length;
    if (rows) this.#unasked.set(key, rows);
    const count = rows?.length ?? this.#connection.get<{ doc: number }>(COUNT, text)?.doc ?? 0;
    this.#counted.set(key, count);
    return count;
  }

  /**
   * Appends rows that came since, for every term kept.
   * @param scopes the number of each row's scope, by id
   */
  extend(added: (key: string) => Holders, scopes: Uint32Array): void {
    for (const [key, count] of this.#counted) this.#counted.set(key, count + added(key).ids.length);
    for (const { key, rows, scope } of this.#kept.values()) {
      this.#bytes -= bytesOf(rows);
      const { ids, impacts } = added(key);
      for (const [at, id] of ids.entries())
        if (scope === undefined || scopes[id] === scope) rows.append(id, impacts[at] as number);
      this.#bytes += bytesOf(rows);
    }
    this.#shrink();
  }

  /** Another question begins. */
  begin(): void {
    for (const rows of this.#unasked.values()) rows.clear();
    this.#unasked.clear();
  }

  forget(): void {
    for (const { rows } of this.#kept.values()) rows.clear();
    this.#kept.clear();
    this.#counted.clear();
    this.begin();
    this.#bytes = 0;
  }

  #used(name: string): PackedRows | undefined {
    const known = this.#kept.get(name);
    if (!known) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, known);
    return known.rows;
  }

  #keep(name: string, kept: Kept): PackedRows {
    this.#kept.set(name, kept);
    this.#bytes += bytesOf(kept.rows);
    this.#shrink();
    return kept.rows;
  }

  #shrink(): void {
    for (const [name, kept] of this.#kept) {
      if (this.#bytes <= this.#mostBytes || this.#kept.size === 1) return;
      this.#drop(name, kept);
    }
  }

  #drop(name: string, { rows }: Kept): void {
    this.#kept.delete(name);
    this.#bytes -= bytesOf(rows);
    rows.clear();
  }

  /**
   * A term's rows; undefined when it stands in more places than these, and SQLite would have to give them one by
   * one.
   */
  #read(text: string, isGram: boolean, upTo: number, most = EVERY_PLACE): PackedRows | undefined {
    const read = this.#doclists.read(text, isGram ? GRAM_IMPACTS : WORD_IMPACTS);
    if (!read) return this.#readPlaces(text, isGram, upTo, most);
    const rows = new PackedRows(this.#pool);
    for (let at = 0; at < read.length; at++) {
      const id = read.ids[at] as number;
      if (id > upTo) break;
      rows.append(id, read.impacts[at] as number);
    }
    return rows;
  }

  #readPlaces(text: string, isGram: boolean, upTo: number, most: number): PackedRows | undefined {
    if (most !== EVERY_PLACE && most > COUNTED_FIRST) return undefined;
    const places = this.#connection.ids(isGram ? GRAM_PLACES : WORD_PLACES, text, most + 1);
    if (places.length > most) return undefined;
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

interface Kept {
  /** Of the term. */
  readonly key: string;
  readonly rows: PackedRows;
  /** The one that its rows lie in; undefined: all. */
  readonly scope?: number;
}

const bytesOf = (rows: PackedRows): number => BYTES_A_TERM + rows.size;

const COLUMNS = ["title", "tags", "words", "grams"] as const;
const WEIGHTS = COLUMNS.map((column) => FIELD_WEIGHTS[column]);
const COUNT = "SELECT doc FROM memory_terms WHERE term = ?";
// By the number of a column of the index: scope, title, tags, words, grams.
const [ofTitle, ofTags, ofWords, ofGrams] = WEIGHTS.map(packed) as [number, number, number, number];
const WORD_IMPACTS = [0, ofTitle, ofTags, ofWords, 0];
const GRAM_IMPACTS = [0, ofTitle, ofTags, 0, ofGrams];
const ELSEWHERE = COLUMNS.length;
const STEP = COLUMNS.length + 1;
// A row and a column in one number: a list of those is read in half the time of two columns. The column that most
// occurrences stand in is asked for first; what stands elsewhere is passed over here, which costs less than a condition.
const placesIn = (columns: readonly (typeof COLUMNS)[number][]) =>
  `SELECT ${STEP} * doc + CASE col ${columns.map((name) => `WHEN '${name}' THEN ${COLUMNS.indexOf(name)}`).join(" ")} ELSE ${ELSEWHERE} END
   FROM (SELECT doc, col FROM memory_term_places WHERE term = ? LIMIT ?)`;
const WORD_PLACES = placesIn(["words", "title", "tags"]);
const GRAM_PLACES = placesIn(["grams", "title", "tags"]);
