import { isAkin } from "./akin.ts";
import type { Holders } from "./text-row.ts";

/** Rows of one term by ascending id, each with its weighted frequency in one byte. */
export interface TermRows {
  unpack(into: UnpackedRows): void;
  /** Selects the ids, given in ascending order, that have the term. */
  among(sorted: readonly number[]): Set<number>;
}

/** Neighbours of rows in their session or conversation. */
export interface NeighbourLinks {
  /** Whether no row has a neighbour. */
  readonly isEmpty: boolean;
  /** The nearest earlier row in the same scope; 0 if there is none. */
  before(id: number, scopes: Uint32Array): number;
  after(id: number, scopes: Uint32Array): number;
}

/** Word index that questions are ranked over. Ids are small, so arrays are indexed by id. */
export interface RankedIndex {
  readonly rows: {
    /** The largest id. */
    readonly upTo: number;
    /** Scope number of each row. */
    readonly scopes: Uint32Array;
    /** Number of words of each row. */
    readonly lengths: Uint16Array;
  };
  readonly neighbours: NeighbourLinks;
  /** Rows whose entries in `rowsOf` are outdated; `recentOf` has their present terms. */
  readonly changed: ReadonlySet<number>;
  /** @param scope number of the scope to search; default: all. */
  rowsOf(text: string, isGram: boolean, scope?: number): TermRows;
  recentOf(text: string, isGram: boolean): Holders;
}

/** Rows that are walked together: those of one scope, or of all allowed scopes. */
export interface ScopePart {
  readonly number?: number;
  /** 1 for allowed, 0 for other scopes, by number. */
  readonly allowed: Uint8Array;
}

/** Visible rows of a question, with the averages that scores use. */
export interface RankedRows {
  /** Mean length of a row in words. */
  readonly usualLength: number;
  /** 1 for allowed, 0 for other scopes, by number. */
  readonly allowed: Uint8Array;
  /** Parts that together contain all visible rows. */
  readonly parts: readonly ScopePart[];
}

/** Counts over visible rows. */
export interface Counting {
  readonly rows: number;
  /** A term in more rows is too frequent to search. */
  readonly bound: number;
  holding(text: string, isGram: boolean): number;
  /** Indexed terms that an unknown word may be a misspelling of. */
  near(typed: string): readonly string[];
  /** Words in visible rows that are related to an unknown word; used if no word of a question is known. */
  akin(typed: string): readonly string[];
}

/** Number of newest visible rows that are searched for related words. */
export const MOST_LOOKED_THROUGH = 20_000;
/** Most rows whose words are read for that. */
export const MOST_AKIN_ROWS = 500;
const MOST_AKIN = 16;

/**
 * Related words in some rows, the nearest in length first.
 * @param texts words separated by spaces
 */
export function akinIn(texts: readonly string[], typed: string): string[] {
  const words = new Set(texts.flatMap((text) => text.split(" ")));
  return [...words]
    .filter((word) => isAkin(word, typed))
    .sort((a, b) => Math.abs(a.length - typed.length) - Math.abs(b.length - typed.length) || (a < b ? -1 : 1))
    .slice(0, MOST_AKIN);
}

/** With fewer visible rows, no term is too frequent to search. */
const ENOUGH_ROWS = 1000;
/** A term in a larger share of the visible rows is too frequent. */
const TOO_FREQUENT = 0.2;

/** Number of rows above which a term is too frequent. */
export const boundOf = (rows: number): number => (rows < ENOUGH_ROWS ? rows : Math.floor(TOO_FREQUENT * rows));

/** Least capacity in rows: smaller arrays would fragment the heap as they grow. */
const LEAST_ROOM = 65_536;

/** Reusable buffer for the rows of one term. */
export class UnpackedRows {
  ids = new Uint32Array(0);
  impacts = new Uint8Array(0);
  length = 0;

  withRoom(rows: number): this {
    if (rows > this.ids.length) {
      this.ids = new Uint32Array(Math.max(LEAST_ROOM, 2 ** Math.ceil(Math.log2(rows))));
      this.impacts = new Uint8Array(this.ids.length);
    }
    this.length = rows;
    return this;
  }

  emptied(): this {
    this.length = 0;
    return this;
  }

  /** Grows the buffer by this number of rows. */
  withSpare(rows: number): this {
    const { ids, impacts, length } = this;
    if (length + rows > ids.length) {
      this.withRoom(length + rows).length = length;
      this.ids.set(ids.subarray(0, length));
      this.impacts.set(impacts.subarray(0, length));
    }
    return this;
  }
}

export function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float32Array>(larger: T, old: T): T {
  larger.set(old);
  return larger;
}
