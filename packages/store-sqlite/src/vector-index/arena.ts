const PAGE = 65_536;
const MAX_PAGES = 65_536;
/** Everything begins at a multiple of this, which suits SIMD and any typed array. */
const UNIT = 64;
const HEADER_PAGES = 3;

/** Cells of the header, in Int32: what every thread finds at the same place. */
export const CELL = {
  /** First free unit. */
  top: 0,
  /** `STATE` of the index. */
  state: 1,
  /** Number of the thread that changes the index, from 1; 0 when none does. */
  writer: 2,
  /** Vectors that could not be read. */
  skipped: 3,
  /** One more than the last change that is in the index, a BigInt64 over two cells; 0 before anything was read. */
  followed: 4,
  /** 1 from the first error of the file of coarse vectors on. */
  withoutCoarse: 6,
  /** Units that coarse vectors take in this memory. */
  coarseUnits: 7,
  /** One cell a thread: 1 while it reads. */
  readers: 16,
  /** One cell a thread: the unit at which its room for a search begins. */
  rooms: 80,
  /** One cell a thread: the unit at which its room for comparing coarse vectors begins. */
  coarseRooms: 144,
  /** Tables, one an identity. */
  tables: 208,
} as const;
export const MAX_THREADS = 64;

/** Memory that all search threads share, handed out once and never taken back. */
export class Arena {
  /** Undefined where this Node has no WebAssembly. */
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

  /** View of its present length, as another thread may have grown it. */
  readonly bytes = (): SharedArrayBuffer => this.#plain ?? (this.memory?.buffer as SharedArrayBuffer);

  cells(): Int32Array {
    return new Int32Array(this.bytes(), 0, (HEADER_PAGES * PAGE) / 4);
  }

  /** The cells of `followed` as one number. */
  followed(): BigInt64Array<SharedArrayBuffer> {
    return new BigInt64Array(this.bytes(), 4 * CELL.followed, 1);
  }

  /** Room of a thread's own, as often as it asks: its offset. @param cell which cell of the header holds where it begins. */
  ownRoom(cell: number, size: number): number {
    const cells = this.cells();
    if (cells[cell] === 0) cells[cell] = unitOf(this.allocate(size));
    return offsetOf(cells[cell] as number);
  }

  /** Room of that many bytes, zeroed: its offset. Throws `RangeError` when four gibibytes or the machine are full. */
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
      // Another thread may have grown it past here in the same moment.
      if (this.bytes().byteLength < end) throw error;
    }
  }
}

export type SharedMemory = SharedArrayBuffer | WebAssembly.Memory;
export const unitOf = (offset: number): number => offset / UNIT;
export const offsetOf = (unit: number): number => unit * UNIT;
