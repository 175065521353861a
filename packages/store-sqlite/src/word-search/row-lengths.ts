import { grown, type ScopePart } from "@chest/core/recall";
import { spaceOfScope } from "@chest/store/database/rows";
import type { Connection } from "../database/connection.ts";

const CHUNK = 20_000;
/** The places of a column in the sizes that the text index keeps of a row. */
const WORDS_COLUMN = 3;

/** Scopes with at most this fraction of the rows count as small. */
const SMALL_PART = 4;
const MOST_PARTS = 12;

/** Scope and length of every row by id, for ranking. */
export class RowTable {
  readonly #connection: Connection;
  /** Scope number of each row; 0: none that was requested yet. */
  scopes = new Uint32Array(0);
  /**
   * Number of words of each row. Grams are not counted: they repeat words, and would make Chinese texts look longer.
   */
  lengths = new Uint16Array(0);
  readonly #numbers = new Map<string, number>();
  /** The other way round. */
  readonly #names: string[] = [];
  readonly #loaded = new Set<number>();
  /** Number of rows, and total words, of each requested scope. */
  readonly #sizes: number[] = [];
  readonly #words: number[] = [];
  #rows = 0;
  /** Rows up to this id are loaded. */
  upTo = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Reads the next rows' lengths; false when there are no more. */
  readOn(): boolean {
    // Allocated at once, because growing step by step fragments the heap.
    if (this.upTo === 0) this.#reserve(this.#connection.get<{ id: number | null }>(NEWEST)?.id ?? 0);
    const { ids, sizes } = this.#connection.get<{ ids: string; sizes: string | null }>(SIZES, this.upTo, CHUNK) ?? {};
    const chunk = JSON.parse(ids ?? "[]") as number[];
    const lengths = (sizes ?? "").split(",");
    for (const [at, id] of chunk.entries()) this.#setLength(id, wordsOf(lengths[at] ?? ""));
    this.upTo = chunk.at(-1) ?? this.upTo;
    return chunk.length === CHUNK;
  }

  /** Adds or changes a row. */
  set(id: number, scope: string, length: number): void {
    this.#setLength(id, length);
    this.setScope(id, scope);
    this.upTo = Math.max(this.upTo, id);
  }

  setScope(id: number, scope: string): void {
    this.#reserve(id);
    this.#put(id, this.numberOf(scope));
  }

  /** Whether a row is known to be in another space. */
  isElsewhere(id: number, scope: string): boolean {
    const known = this.#names[this.scopes[id] ?? 0];
    return known !== undefined && spaceOfScope(known) !== spaceOfScope(scope);
  }

  /** Removes a row. */
  delete(id: number): void {
    if ((this.lengths[id] ?? 0) === 0) return;
    this.#put(id, 0);
    this.lengths[id] = 0;
    this.#rows -= 1;
  }

  #put(id: number, number: number): void {
    this.#count(this.scopes[id] as number, -1, -(this.lengths[id] as number));
    this.scopes[id] = number;
    this.#count(number, 1, this.lengths[id] as number);
  }

  #count(number: number, rows: number, words: number): void {
    if (number === 0) return;
    this.#sizes[number] = (this.#sizes[number] ?? 0) + rows;
    this.#words[number] = (this.#words[number] ?? 0) + words;
  }

  /** Flags these scopes by number, and loads a scope's rows on first request. */
  flagsOf(scopes: readonly string[]): Uint8Array {
    const numbers = scopes.map((scope) => this.#load(scope));
    const flags = new Uint8Array(this.#numbers.size + 1);
    for (const number of numbers) flags[number] = 1;
    return flags;
  }

  get count(): number {
    return this.#rows;
  }

  /** Number of rows in the flagged scopes, and their mean length; 1 if there are none. */
  sumOf(allowed: Uint8Array): { readonly rows: number; readonly usualLength: number } {
    let [rows, words] = [0, 0];
    for (let number = 1; number < allowed.length; number++) {
      if (allowed[number] !== 1) continue;
      rows += this.#sizes[number] ?? 0;
      words += this.#words[number] ?? 0;
    }
    return { rows, usualLength: Math.max(1, words / Math.max(1, rows)) };
  }

  sizeOf(number: number): number {
    return this.#sizes[number] ?? 0;
  }

  /** Ids of the newest rows in the flagged scopes, newest first. */
  newestIn(allowed: Uint8Array, most: number): number[] {
    const ids: number[] = [];
    for (let id = this.upTo; id > 0 && ids.length < most; id--)
      if (allowed[this.scopes[id] as number] === 1 && this.lengths[id] !== 0) ids.push(id);
    return ids;
  }

  /** Separate parts for scopes that together hold a small share of all rows; otherwise undefined. */
  partsOf(scopes: readonly string[]): ScopePart[] | undefined {
    if (scopes.length > MOST_PARTS) return undefined;
    const numbers = scopes.map((scope) => this.#load(scope));
    const rows = numbers.reduce((sum, number) => sum + (this.#sizes[number] ?? 0), 0);
    if (SMALL_PART * rows > this.#rows) return undefined;
    return numbers.map((number) => {
      const allowed = new Uint8Array(this.#numbers.size + 1);
      allowed[number] = 1;
      return { number, allowed };
    });
  }

  /** Scopes are loaded again on the next request. */
  forgetScopes(): void {
    this.scopes.fill(0);
    this.#numbers.clear();
    this.#names.length = 0;
    this.#loaded.clear();
    this.#sizes.length = 0;
    this.#words.length = 0;
  }

  forget(): void {
    this.forgetScopes();
    this.upTo = 0;
    this.#rows = 0;
    this.lengths.fill(0);
  }

  #load(scope: string): number {
    const number = this.numberOf(scope);
    if (this.#loaded.has(number)) return number;
    const ids = this.#connection.ids(IN_SCOPE, `scope : "${scope.replaceAll('"', '""')}"`);
    for (const id of ids) {
      this.#reserve(id);
      this.#put(id, number);
    }
    this.#loaded.add(number);
    return number;
  }

  /** Number by which a scope is known here. */
  numberOf(scope: string): number {
    const known = this.#numbers.get(scope);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(scope, number);
    this.#names[number] = scope;
    return number;
  }

  #setLength(id: number, length: number): void {
    this.#reserve(id);
    const before = this.lengths[id] ?? 0;
    if (before === 0) this.#rows += 1;
    this.lengths[id] = Math.max(1, Math.min(length, 0xffff));
    this.#count(this.scopes[id] as number, 0, (this.lengths[id] as number) - before);
  }

  #reserve(id: number): void {
    if (id < this.scopes.length) return;
    const room = Math.max(1024, Math.ceil(1.25 * (id + 1)));
    this.scopes = grown(new Uint32Array(room), this.scopes);
    this.lengths = grown(new Uint16Array(room), this.lengths);
  }
}

const NEWEST = "SELECT max(id) AS id FROM memory_fts_docsize";
const SIZES = `SELECT json_group_array(id) AS ids, group_concat(hex(sz)) AS sizes
  FROM (SELECT id, sz FROM memory_fts_docsize WHERE id > ? ORDER BY id LIMIT ?)`;
const IN_SCOPE = "SELECT rowid FROM memory_fts WHERE memory_fts MATCH ?";

/** Number of words from a row's size record: variable-length numbers per column, in hexadecimal. */
function wordsOf(sizes: string): number {
  let column = 0;
  let value = 0;
  for (let at = 0; at < sizes.length; at += 2) {
    const byte = Number.parseInt(sizes.slice(at, at + 2), 16);
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    if (column === WORDS_COLUMN) return value;
    column += 1;
    value = 0;
  }
  return 0;
}
