import type { Space } from "@chest/core/access";
import type { Memory, stateOf } from "@chest/core/memory";
import { type Arena, CELL, offsetOf, unitOf } from "./arena.ts";
import { bytesOf, writeBits } from "./bits.ts";
import type { CoarseVectors } from "./coarse.ts";
import { kindOf, MOST_DIMENSIONS, RUN, type Segment, SLOTS, segmentAt, segmentBytes, spaceNumber } from "./segment.ts";

const MAX_TABLES = 8;
const MAX_SEGMENTS = 4096;
/** Cells of a table, before the start units of its segments. */
const AT = {
  identity: 0,
  dimensions: 1,
  used: 2,
  live: 3,
  free: 4,
  segments: 5,
  newest: 6,
  runs: 7,
  first: 16,
} as const;
/** Number of runs in progress; spaces with the same hash share one. */
const RUNS = 4096;

/** A vector with the filter columns of its memory. */
export interface Entry {
  readonly id: number;
  readonly vector: Float32Array;
  readonly space: Space;
  readonly state: ReturnType<typeof stateOf>;
  readonly layer: Memory["layer"];
  readonly entityId: number;
}

/** Vectors by identity, in the view of one thread. */
export class Tables {
  readonly #arena: Arena;
  readonly #coarse: CoarseVectors | undefined;
  readonly #seen: (Table | undefined)[] = [];

  /** @param coarse stores coarse vectors as well. */
  constructor(arena: Arena, coarse?: CoarseVectors) {
    this.#arena = arena;
    this.#coarse = coarse;
  }

  /** Undefined if no vector of this identity is indexed. */
  of(identityId: number): Table | undefined {
    return this.all().find((table) => table.identityId === identityId);
  }

  all(): Table[] {
    const tables: Table[] = [];
    for (let at = 0; at < MAX_TABLES; at++) {
      const table = this.#at(at);
      if (table.identityId === 0) break;
      tables.push(table);
    }
    return tables;
  }

  /** Undefined if there is no room for another identity, or for that many dimensions. */
  make(identityId: number, dimensions: number): Table | undefined {
    const next = this.all().length;
    if (next === MAX_TABLES || dimensions > MOST_DIMENSIONS) return undefined;
    const table = this.#at(next);
    table.begin(identityId, dimensions);
    return table;
  }

  /** Removes all vectors; their memory is reused. */
  empty(): void {
    for (const table of this.all()) table.empty();
  }

  #at(place: number): Table {
    this.#seen[place] ??= new Table(this.#arena, CELL.tables + place * (AT.first + MAX_SEGMENTS), this.#coarse);
    return this.#seen[place];
  }
}

export class Table {
  readonly #arena: Arena;
  readonly #cells: Int32Array;
  readonly #coarse: CoarseVectors | undefined;
  readonly #segments: Segment[] = [];

  constructor(arena: Arena, firstCell: number, coarse: CoarseVectors | undefined) {
    this.#arena = arena;
    this.#coarse = coarse;
    this.#cells = arena.cells().subarray(firstCell, firstCell + AT.first + MAX_SEGMENTS);
  }

  get identityId(): number {
    return this.#cell(AT.identity);
  }

  get dimensions(): number {
    return this.#cell(AT.dimensions);
  }

  /** Number of vectors. */
  get live(): number {
    return this.#cell(AT.live);
  }

  begin(identityId: number, dimensions: number): void {
    this.#cells[AT.runs] = unitOf(this.#arena.allocate(4 * RUNS));
    this.#cells[AT.dimensions] = dimensions;
    this.#cells[AT.identity] = identityId;
  }

  empty(): void {
    for (const { segment } of this.segments()) {
      segment.kinds.fill(0);
      segment.runs.fill(0);
      noteChange(segment);
    }
    this.#cells.fill(0, AT.used, AT.segments);
    this.#cells[AT.newest] = 0;
    this.#runs().fill(0);
  }

  /** Segments with the number of slots that were ever used. */
  segments(): { readonly segment: Segment; readonly slots: number }[] {
    const used = this.#cell(AT.used);
    return Array.from({ length: Math.ceil(used / SLOTS) }, (_, place) => ({
      segment: this.#segment(place),
      slots: Math.min(SLOTS, used - place * SLOTS),
    }));
  }

  /** Slots of these memories, in one scan over all ids; skipped for new memories. */
  slotsOf(ids: ReadonlySet<number>): Map<number, number> {
    const slots = new Map<number, number>();
    const maybe = new Uint8Array(65_536);
    let isAnyKnown = false;
    for (const id of ids) {
      if (id > this.#cell(AT.newest)) continue;
      maybe[id & 0xffff] = 1;
      isAnyKnown = true;
    }
    if (!isAnyKnown) return slots;
    for (const [place, { segment, slots: count }] of this.segments().entries()) {
      for (let at = 0; at < count; at++) {
        const id = segment.ids[at] as number;
        if (maybe[id & 0xffff] === 1 && segment.kinds[at] !== 0 && ids.has(id)) slots.set(id, place * SLOTS + at);
      }
    }
    return slots;
  }

  /** Writes to a slot, a free one by default. */
  put(entry: Entry, slot = this.#take(entry.space)): void {
    const segment = this.#segment(Math.floor(slot / SLOTS));
    const at = slot % SLOTS;
    const words = bytesOf(this.dimensions) / 4;
    writeBits(entry.vector, segment.bits.subarray(at * words, (at + 1) * words));
    this.#coarse?.write(segment, at, entry.vector);
    segment.ids[at] = entry.id;
    segment.entities[at] = entry.entityId;
    segment.spaces[at] = spaceNumber(entry.space);
    noteSpace(segment, at);
    segment.kinds[at] = kindOf(entry.state, entry.layer);
    noteChange(segment);
    this.#cells[AT.newest] = Math.max(this.#cell(AT.newest), entry.id);
  }

  /** Frees a slot; free slots form a linked list in the id column. */
  free(slot: number): void {
    const segment = this.#segment(Math.floor(slot / SLOTS));
    segment.kinds[slot % SLOTS] = 0;
    this.#coarse?.clear(segment, slot % SLOTS, this.dimensions);
    noteChange(segment);
    segment.ids[slot % SLOTS] = this.#cell(AT.free);
    this.#cells[AT.free] = slot + 1;
    this.#cells[AT.live] = this.live - 1;
  }

  #take(space: Space): number {
    const free = this.#cell(AT.free);
    if (free > 0)
      this.#cells[AT.free] = this.#segment(Math.floor((free - 1) / SLOTS)).ids[(free - 1) % SLOTS] as number;
    const slot = free > 0 ? free - 1 : this.#next(space);
    this.#cells[AT.live] = this.live + 1;
    return slot;
  }

  /** Next slot in the space's run, or the first of a new one. */
  #next(space: Space): number {
    const runs = this.#runs();
    const run = (spaceNumber(space) || 0) % RUNS;
    let slot = runs[run] as number;
    if (slot % RUN === 0) {
      slot = this.#cell(AT.used);
      if (slot === this.#cell(AT.segments) * SLOTS) this.#extend();
      this.#cells[AT.used] = slot + RUN;
    }
    runs[run] = slot + 1;
    return slot;
  }

  /** Next slot of each run in progress; a multiple of `RUN` if it is full or new. */
  #runs(): Int32Array {
    return new Int32Array(this.#arena.bytes(), offsetOf(this.#cell(AT.runs)), RUNS);
  }

  #extend(): void {
    const place = this.#cell(AT.segments);
    if (place === MAX_SEGMENTS) throw new RangeError("the vector index has no room for another segment");
    this.#cells[AT.first + place] = unitOf(this.#arena.allocate(segmentBytes(this.dimensions)));
    this.#cells[AT.segments] = place + 1;
    this.#segment(place).coarse[0] = this.#coarse?.allocate(this.dimensions) ?? 0;
  }

  #segment(place: number): Segment {
    this.#segments[place] ??= segmentAt(this.#arena, offsetOf(this.#cell(AT.first + place)), this.dimensions);
    return this.#segments[place];
  }

  #cell(at: number): number {
    return this.#cells[at] as number;
  }
}

function noteSpace({ spaces, runs }: Segment, at: number): void {
  const [run, space] = [Math.floor(at / RUN), (spaces[at] as number) + 1];
  runs[run] = runs[run] === 0 || runs[run] === space ? space : Number.NaN;
}

function noteChange({ changes }: Segment): void {
  changes[0] = ((changes[0] as number) + 1) | 0;
}
