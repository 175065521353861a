import { isAkin } from "../../text/akin.ts";
import type { Holders } from "./text-row.ts";

/** Rows of one term by ascending id, each with its weighted frequency in one byte. */
export interface TermRows {
  unpack(into: UnpackedRows): void;
  /** Selects the ids, given in ascending order, that it contains. */
  among(sorted: readonly number[]): Set<number>;
}

/** Neighbours of rows in their session or conversation. */
export interface NeighbourLinks {
  /** No row has one. */
  readonly isEmpty: boolean;
  /** The nearest row before this one that lies in the same scope; 0 when there is none. */
  before(id: number, scopes: Uint32Array): number;
  after(id: number, scopes: Uint32Array): number;
}

/** Rows that a question is ranked over. Ids are small numbers: everything of a row stands in an array at its id. */
export interface RankedIndex {
  readonly rows: {
    /** The largest id. */
    readonly upTo: number;
    /** The number of each row's scope. */
    readonly scopes: Uint32Array;
    /** Words of each row. */
    readonly lengths: Uint16Array;
  };
  readonly neighbours: NeighbourLinks;
  /** Rows whose entries in `rowsOf` are outdated; their present terms are in `recentOf`. */
  readonly changed: ReadonlySet<number>;
  /** @param scope the number of the one that the rows are to lie in; else any. */
  rowsOf(text: string, isGram: boolean, scope?: number): TermRows;
  recentOf(text: string, isGram: boolean): Holders;
}

/** Rows that are walked together: of one scope, by its number, or of all that are allowed. */
export interface ScopePart {
  readonly number?: number;
  /** 1 or 0 by the number of a scope. */
  readonly allowed: Uint8Array;
}

/** The rows that one question may find, as far as a score depends on them. */
export interface RankedRows {
  /** Words of an ordinary row. */
  readonly usualLength: number;
  /** 1 or 0 by the number of a scope. */
  readonly allowed: Uint8Array;
  /** Parts to walk in order to pass all of them. */
  readonly parts: readonly ScopePart[];
}

/** Number of visible rows, and of those that have a term. */
export interface Counting {
  readonly rows: number;
  /** A term in more of them is too frequent to be looked for. */
  readonly bound: number;
  holding(text: string, isGram: boolean): number;
  /** Terms that a word in none of them may be a typo of. */
  near(typed: string): readonly string[];
  /** Words of rows in sight that are akin to one in none of them; asked where no word of a question stands in any. */
  akin(typed: string): readonly string[];
}

/** Rows in sight, the newest, among whose words akin ones are looked for. */
export const MOST_LOOKED_THROUGH = 20_000;
/** Rows of those whose words are read. */
export const MOST_AKIN_ROWS = 500;
const MOST_AKIN = 16;

/** Words among those of some rows that are akin to one, the nearest in length first. @param texts words with blanks between */
export function akinIn(texts: readonly string[], typed: string): string[] {
  const words = new Set(texts.flatMap((text) => text.split(" ")));
  return [...words]
    .filter((word) => isAkin(word, typed))
    .sort((a, b) => Math.abs(a.length - typed.length) - Math.abs(b.length - typed.length) || (a < b ? -1 : 1))
    .slice(0, MOST_AKIN);
}

/** With fewer visible rows, no term is too frequent to search for. */
const ENOUGH_ROWS = 1000;
/** A term in a larger share of the visible rows is noise. */
const TOO_FREQUENT = 0.2;

/** A term in more of so many rows is too frequent to be looked for. */
export const boundOf = (rows: number): number => (rows < ENOUGH_ROWS ? rows : Math.floor(TOO_FREQUENT * rows));

/** Rows that room is made for at the least: what is smaller lies among other things, and leaves a hole there as it grows. */
const LEAST_ROOM = 65_536;

/** Room for one term's rows at a time, used again for the next. */
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

  /** With room for so many more than it holds. */
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
