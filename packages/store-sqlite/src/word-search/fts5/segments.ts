import type { Connection } from "../../database/connection.ts";
import { checked, Numbers, Unreadable } from "./pages.ts";

/** The layout that is read here: detail "full", nothing deleted in place, no tombstones. Any other is left to SQLite. */
const VERSION = 4;
const STRUCTURE_ID = 10;
const STRUCTURE_V2 = 0xff000001;
const PAGE_BITS = 37;
/** A segment that is being merged has lost its first pages: its list begins on the first that is left. */
const FIRST_BITS = 31;

/** Pages of the index that belong together, sorted by term: written at once, or merged from older ones. */
export interface Segment {
  readonly id: number;
  readonly first: number;
  readonly last: number;
}

interface Structure {
  readonly version: number | null;
  readonly block: Buffer | null;
}

/** Newest first; undefined where they are kept in another way. */
export function segmentsOf(connection: Connection): Segment[] | undefined {
  const { version, block } = connection.get<Structure>(STRUCTURE, STRUCTURE_ID) ?? {};
  if (version !== VERSION) return undefined;
  if (!block) throw new Unreadable("a page is missing");
  const reader = new Numbers(checked(block));
  if (reader.page.length >= 8 && reader.page.readUInt32BE(4) === STRUCTURE_V2) return undefined;
  reader.at = 4;
  const levels = reader.varint();
  reader.varint(); // How many segments there are in all.
  reader.varint(); // How often it was written.
  const segments: Segment[] = [];
  for (let level = 0; level < levels; level++) {
    reader.varint(); // How many of them are being merged: those are read like others.
    const count = reader.varint();
    const ofLevel = Array.from({ length: count }, () => ({
      id: reader.varint(),
      first: reader.varint(),
      last: reader.varint(),
    }));
    segments.push(...ofLevel.reverse());
  }
  return segments;
}

/** A page among those of the whole index. */
export const pageId = (segment: number, page: number): number => segment * 2 ** PAGE_BITS + page;

/** Page id in SQL, from the columns `segment` and `page`. */
export const PAGE_ID = `(segment << ${PAGE_BITS}) + page`;

/**
 * For each segment, by its place among them, the page on which a term would begin; 0: on none. It takes the term and
 * `asParameter`.
 */
export const PAGE_OF_TERM = `SELECT key AS nth, value >> ${FIRST_BITS} AS segment,
  max(value & ${2 ** FIRST_BITS - 1}, coalesce((SELECT pgno FROM memory_fts_idx WHERE segid = value >> ${FIRST_BITS} AND term <= ?
    ORDER BY term DESC LIMIT 1) >> 1, 0)) AS page
  FROM json_each(?)`;

export const asParameter = (segments: readonly Segment[]): string =>
  JSON.stringify(segments.map(({ id, first }) => id * 2 ** FIRST_BITS + first));

const STRUCTURE = `SELECT (SELECT v FROM memory_fts_config WHERE k = 'version') AS version,
  (SELECT block FROM memory_fts_data WHERE id = ?) AS block`;
