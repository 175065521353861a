import { UnpackedRows } from "@chest/core/recall";
import type { Connection } from "../../database/connection.ts";
import { bytesOfTerm, checked, endOf, firstTermOf, placeOf, Unreadable } from "./pages.ts";
import { PositionReader } from "./positions.ts";
import { asParameter, PAGE_ID, PAGE_OF_TERM, pageId, type Segment, segmentsOf } from "./segments.ts";

/** Most pages of four kilobytes to read at once. */
const MOST_PAGES = 64;

/** Page of a segment on which a term would begin; 0: on none. */
interface Leaf {
  readonly nth: number;
  readonly page: number;
  readonly block: Buffer | null;
}

/** Buffers: for newer segments, the next older segment, and the merged result. */
type Rooms = readonly [UnpackedRows, UnpackedRows, UnpackedRows];

/** Terms to find in a segment, with a buffer for each. */
interface Sought {
  readonly term: Buffer;
  readonly impacts: readonly number[];
  readonly into: UnpackedRows;
}

/**
 * The rows of a term straight from the pages of the FTS5 index, as its source describes them (fts5_index.c, "on-disk
 * format"). For a term with ten thousand rows or more that takes a fifth to a ninth of the time that the vocabulary
 * table takes: docs/design/word-search.md has the figures.
 */
export class Doclists {
  readonly #connection: Connection;
  readonly #rooms: Rooms;

  constructor(connection: Connection, rooms: Rooms = [new UnpackedRows(), new UnpackedRows(), new UnpackedRows()]) {
    this.#connection = connection;
    this.#rooms = rooms;
  }

  /**
   * @param impacts weight of an occurrence by column number; 0: ignored.
   * @returns rows by ascending id with summed weights up to 255, in buffers that the next call reuses; undefined for an
   * unknown index layout
   */
  read(term: string, impacts: readonly number[]): UnpackedRows | undefined {
    const bytes = bytesOfTerm(term);
    try {
      return this.#connection.snapshot(() => this.#read(bytes, impacts)); // All pages as of one moment.
    } catch (error) {
      if (error instanceof Unreadable || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #read(term: Buffer, impacts: readonly number[]): UnpackedRows | undefined {
    const segments = segmentsOf(this.#connection);
    if (!segments) return undefined;
    let rows: UnpackedRows | undefined;
    // Newest first: a newer entry for a row replaces older ones.
    for (const { nth, page, block } of this.#leaves(segments, term)) {
      if (page === 0) continue;
      if (!block) throw new Unreadable("a page is missing");
      const older = this.#roomBeside(rows).emptied();
      this.#readList(segments[nth] as Segment, page, checked(block), { term, impacts, into: older });
      if (older.length > 0) rows = rows ? merge(older, rows, this.#roomBeside(rows, older)) : older;
    }
    return withoutGaps(rows ?? this.#roomBeside().emptied());
  }

  #roomBeside(...taken: readonly (UnpackedRows | undefined)[]): UnpackedRows {
    return this.#rooms.find((room) => !taken.includes(room)) as UnpackedRows;
  }

  /** The page in each segment that would contain the term, by one statement, because there may be twenty segments. */
  #leaves(segments: readonly Segment[], term: Buffer): Leaf[] {
    return this.#connection.all<Leaf>(LEAVES, term, asParameter(segments));
  }

  #readList({ id, last }: Segment, begin: number, page: Buffer, { term, impacts, into }: Sought): void {
    const place = placeOf(term, page);
    if (!place) return;
    const list = new PositionReader(impacts, into);
    list.read(page, place.from, place.to);
    // The list ends if another term follows on the page.
    if (place.to === endOf(page)) {
      for (const next of this.#pages(id, begin + 1, last)) {
        const to = firstTermOf(next);
        list.read(next, 4, to);
        if (to < endOf(next)) break;
      }
    }
    list.end();
  }

  /** Reads the pages of a list in growing batches: most lists end on the page that they begin on. */
  *#pages(segment: number, from: number, last: number): Generator<Buffer> {
    let [next, many] = [from, 2];
    for (; next <= last; next += many, many = Math.min(2 * many, MOST_PAGES)) {
      const to = Math.min(last, next + many - 1);
      const rows = this.#connection.all<{ block: Buffer }>(PAGES, pageId(segment, next), pageId(segment, to));
      if (rows.length !== to - next + 1) throw new Unreadable("a page is missing");
      for (const { block } of rows) yield checked(block);
    }
  }
}

const PAGES = "SELECT block FROM memory_fts_data WHERE id BETWEEN ? AND ? ORDER BY id";
const LEAVES = `SELECT nth, page, block FROM (${PAGE_OF_TERM}) LEFT JOIN memory_fts_data ON id = ${PAGE_ID} ORDER BY nth`;

/** Merges two lists into the given buffer; for a row in both, the newer list counts. */
function merge(older: UnpackedRows, newer: UnpackedRows, rows: UnpackedRows): UnpackedRows {
  rows.withRoom(older.length + newer.length);
  if ((older.ids[older.length - 1] as number) < (newer.ids[0] as number)) {
    rows.ids.set(older.ids.subarray(0, older.length));
    rows.ids.set(newer.ids.subarray(0, newer.length), older.length);
    rows.impacts.set(older.impacts.subarray(0, older.length));
    rows.impacts.set(newer.impacts.subarray(0, newer.length), older.length);
    return rows;
  }
  let [a, b, length] = [0, 0, 0];
  while (a < older.length || b < newer.length) {
    const [left, right] = [older.ids[a] as number, newer.ids[b] as number];
    const isOlder = b >= newer.length || (a < older.length && left < right);
    rows.ids[length] = isOlder ? left : right;
    rows.impacts[length] = (isOlder ? older.impacts[a] : newer.impacts[b]) as number;
    length += 1;
    if (isOlder || left === right) a += 1;
    if (!isOlder) b += 1;
  }
  rows.length = length;
  return rows;
}

/** Removes rows that were deleted, and rows that hold the term only in columns that do not count. */
function withoutGaps(rows: UnpackedRows): UnpackedRows {
  let kept = 0;
  for (let at = 0; at < rows.length; at++) {
    const impact = rows.impacts[at] as number;
    if (impact === 0) continue;
    rows.ids[kept] = rows.ids[at] as number;
    rows.impacts[kept] = impact;
    kept += 1;
  }
  rows.length = kept;
  return rows;
}
