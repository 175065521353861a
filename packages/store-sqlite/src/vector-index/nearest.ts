import { type Arena, CELL } from "./arena.ts";
import { bytesOf, writeBits } from "./bits.ts";
import type { CoarseVectors } from "./coarse.ts";
import type { Scan } from "./kernel/kernel.ts";
import { Masks } from "./masks.ts";
import { type Places, ScanResults } from "./scan-results.ts";
import { MOST_DIMENSIONS, SLOTS } from "./segment.ts";
import type { Selection } from "./selection.ts";
import type { Table } from "./tables.ts";

/** Slots per call: after each, results farther than the best so far are no longer recorded. */
const BLOCK = 2048;

// A thread's search buffer: the query's bits, the mask, counts by distance, and results.
const MASK = MOST_DIMENSIONS / 8;
const FOUND = MASK + SLOTS / 8;
const COUNTS = FOUND + 8 * BLOCK;
const ROOM = COUNTS + 4 * (MOST_DIMENSIONS + 1);

/** Memories with the fewest differing bits. */
export interface Nearest {
  /** By cosine if known, otherwise by number of differing bits. */
  readonly ids: readonly number[];
  /** Cosines by coarse numbers; undefined where only the rows have them. */
  readonly cosines: readonly number[] | undefined;
  /** Whether these are all matching memories. */
  readonly isAll: boolean;
}

/** Scans the shared index in one thread. */
export class Scanner {
  readonly #arena: Arena;
  readonly #thread: number;
  readonly #scan: Scan;
  readonly #coarse: CoarseVectors;
  readonly #masks = new Masks();
  readonly #found = new ScanResults();
  #room: number | undefined;

  constructor(arena: Arena, thread: number, scan: Scan, coarse: CoarseVectors) {
    this.#arena = arena;
    this.#thread = thread;
    this.#coarse = coarse;
    this.#scan = scan;
  }

  /** @param depth number of results wanted for a number of matching rows. */
  nearest(table: Table, vector: Float32Array, selection: Selection, depth: (passed: number) => number): Nearest {
    const room = this.#ownRoom();
    const memory = this.#arena.bytes();
    const bytes = bytesOf(table.dimensions);
    const query = new Uint32Array(memory, room, bytes / 4).fill(0);
    writeBits(vector, query);
    const mask = new Uint32Array(memory, room + MASK, SLOTS / 32);
    const scanned = new Int32Array(memory, room + FOUND, 2 * BLOCK);
    const counts = new Int32Array(memory, room + COUNTS, 8 * bytes + 1).fill(0);

    this.#found.clear();
    const mark = this.#masks.of(table.identityId, selection);
    const segments = table.segments();
    // Based on all vectors, not on the matching ones, so that hidden vectors change nothing.
    const wanted = depth(segments.reduce((sum, { slots }) => sum + slots, 0));
    let passed = 0;
    let within = 8 * bytes;
    for (const { segment, slots } of segments) {
      const marked = mark(segment, slots, mask);
      if (marked === 0) continue;
      passed += marked;
      this.#found.begin(segment);
      for (let first = 0; first < slots; first += BLOCK) {
        const block = 32 * Math.ceil(Math.min(BLOCK, slots - first) / 32);
        const count = this.#scan(
          room,
          segment.rows + first * bytes,
          room + MASK + first / 8,
          block,
          bytes,
          within,
          room + FOUND,
          room + COUNTS,
        );
        this.#found.add(first, scanned, count);
        if (count > 0) within = radius(counts, wanted, within);
      }
    }
    const nearest = this.#found.nearest(within, depth(passed));
    const isAll = nearest.pairs.length / 2 === passed;
    return { ...byCosine(nearest, this.#coarse.cosines(vector, nearest)), isAll };
  }

  #ownRoom(): number {
    this.#room ??= this.#arena.ownRoom(CELL.rooms + this.#thread, ROOM);
    return this.#room;
  }
}

/** A damaged vector has no cosine and is left out. */
function byCosine({ segments, pairs }: Places, cosines: Float32Array | undefined): Pick<Nearest, "ids" | "cosines"> {
  const idOf = (nth: number) => segments[pairs[2 * nth] as number]?.ids[pairs[2 * nth + 1] as number] as number;
  if (!cosines) return { ids: Array.from({ length: pairs.length / 2 }, (_, nth) => idOf(nth)), cosines };
  const told: number[] = [];
  for (let nth = 0; nth < cosines.length; nth++) if (Number.isFinite(cosines[nth])) told.push(nth);
  told.sort((a, b) => (cosines[b] as number) - (cosines[a] as number) || idOf(a) - idOf(b));
  return { ids: told.map(idOf), cosines: told.map((nth) => cosines[nth] as number) };
}

/** Smallest distance with enough results; the previous one if there are too few. */
function radius(counts: Int32Array, depth: number, before: number): number {
  let sum = 0;
  for (let distance = 0; distance < before; distance++) {
    sum += counts[distance] as number;
    if (sum >= depth) return distance;
  }
  return before;
}
