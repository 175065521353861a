const PAGE = 65_536;
const MAX_PAGES = 65_536;
/** Alignment of all allocations, for SIMD and typed arrays. */
const UNIT = 64;
const HEADER_PAGES = 3;

/** Int32 cells of the header. */
export const CELL = {
  /** First free unit. */
  top: 0,
  /** `STATE` of the index. */
  state: 1,
  /** Number of the thread that changes the index, from 1; 0 when none does. */
  writer: 2,
  /** Vectors that could not be read. */
  skipped: 3,
  /** Number of the last applied change plus one, as a BigInt64 in two cells; 0 before anything was read. */
  followed: 4,
  /** 1 after the first error of the coarse vectors' file. */
  withoutCoarse: 6,
  /** Units that coarse vectors occupy in this memory. */
  coarseUnits: 7,
  /** One cell per thread: 1 while it reads. */
  readers: 16,
  /** One cell per thread: first unit of its search buffer. */
  rooms: 80,
  /** One cell per thread: first unit of its buffer for coarse vectors. */
  coarseRooms: 144,
  /** Tables, one per identity. */
  tables: 208,
} as const;
export const MAX_THREADS = 64;

/** Allocator over memory that all search threads share; nothing is freed. */
export class Arena {
  /** Undefined if Node has no WebAssembly. */
  readonly memory: WebAssembly.Memory | undefined;
  readonly #plain: SharedArrayBuffer | undefined;

  constructor(shared: SharedMemory) {
    if (shared instanceof SharedArrayBuffer) this.#plain = shared;
    else this.memory = shared;
  }

  static create(isPlain = typeof WebAssembly === "undefined"): Arena {
    const arena = new Arena(
      isPlain
        ? new SharedArrayBuffer(HEADER_PAGES * PAGE, { maxByteLength: MAX_PAGES * PAGE })
        : new WebAssembly.Memory({ initial: HEADER_PAGES, maximum: MAX_PAGES, shared: true }),
    );
    Atomics.store(arena.cells(), CELL.top, (HEADER_PAGES * PAGE) / UNIT);
    return arena;
  }

  /** Handle from which another thread makes its own arena. */
  get shared(): SharedMemory {
    return (this.#plain ?? this.memory) as SharedMemory;
  }

  /** View of the present length, because another thread may have grown the memory. */
  readonly bytes = (): SharedArrayBuffer => this.#plain ?? (this.memory?.buffer as SharedArrayBuffer);

  cells(): Int32Array {
    return new Int32Array(this.bytes(), 0, (HEADER_PAGES * PAGE) / 4);
  }

  /** The two cells of `followed` as one number. */
  followed(): BigInt64Array<SharedArrayBuffer> {
    return new BigInt64Array(this.bytes(), 4 * CELL.followed, 1);
  }

  /**
   * Offset of a buffer that belongs to this thread, allocated once.
   * @param cell header cell with its start.
   */
  ownRoom(cell: number, size: number): number {
    const cells = this.cells();
    if (cells[cell] === 0) cells[cell] = unitOf(this.allocate(size));
    return offsetOf(cells[cell] as number);
  }

  /**
   * Allocates zeroed bytes and returns their offset. Throws `RangeError` if four gibibytes, or the machine's memory,
   * are used up.
   */
  allocate(size: number): number {
    const units = Math.ceil(size / UNIT);
    const start = Atomics.add(this.cells(), CELL.top, units);
    try {
      this.#reach((start + units) * UNIT);
    } catch (error) {
      Atomics.sub(this.cells(), CELL.top, units);
      throw error;
    }
    return start * UNIT;
  }

  #reach(end: number): void {
    const missing = end - this.bytes().byteLength;
    if (missing <= 0) return;
    try {
      if (this.memory) this.memory.grow(Math.ceil(missing / PAGE));
      else this.#plain?.grow(Math.ceil(end / PAGE) * PAGE);
    } catch (error) {
      // Another thread may have grown it at the same moment.
      if (this.bytes().byteLength < end) throw error;
    }
  }
}

export type SharedMemory = SharedArrayBuffer | WebAssembly.Memory;
export const unitOf = (offset: number): number => offset / UNIT;
export const offsetOf = (unit: number): number => unit * UNIT;
