import { FIELD_WEIGHTS, packed } from "./field-weights.ts";

/** What most occurrences weigh: a row that holds a word once says nothing of it beside its id. */
const USUAL = packed(FIELD_WEIGHTS.words);
/** A gap in five bytes, and a weight. */
const MOST_BYTES = 6;

/** A scope by its number, and the number of each row's, by id. */
export interface Scope {
  readonly number: number;
  readonly scopes: Uint32Array;
}

/**
 * The rows of one term by ascending id, each with its weighted frequency: gaps between ids in as few bytes as they
 * need, and a byte more where the weight is not the usual one. A frequent term takes a byte a row, a rare one two or three.
 */
export class PackedRows {
  #bytes = new Uint8Array(0);
  #used = 0;
  #last = 0;
  /** Rows in it. */
  length = 0;

  /** Bytes that it holds. */
  get size(): number {
    return this.#bytes.length;
  }

  /** @param id greater than the one before. */
  append(id: number, impact: number): void {
    if (this.#used + MOST_BYTES > this.#bytes.length) this.#resize(Math.ceil(1.25 * this.#used) + 2 * MOST_BYTES);
    const bytes = this.#bytes;
    const isUsual = impact === USUAL;
    let gap = id - this.#last;
    let byte = ((gap & 0x3f) << 1) | (isUsual ? 0 : 1);
    gap >>>= 6;
    while (gap > 0) {
      bytes[this.#used++] = byte | 0x80;
      byte = gap & 0x7f;
      gap >>>= 7;
    }
    bytes[this.#used++] = byte;
    if (!isUsual) bytes[this.#used++] = impact;
    this.#last = id;
    this.length += 1;
  }

  /** Its rows in no more room than they take; this one is empty then, its room there for the next. */
  moved(): PackedRows {
    const rows = new PackedRows();
    rows.#bytes = this.#bytes.slice(0, this.#used);
    [rows.#used, rows.#last, rows.length] = [this.#used, this.#last, this.length];
    this.clear();
    return rows;
  }

  clear(): void {
    [this.#used, this.#last, this.length] = [0, 0, 0];
  }

  /** @param scope the one that rows are to lie in: all are passed for its few, in this one loop. */
  unpack(into: UnpackedRows, scope?: Scope): void {
    const { ids, impacts } = into.withRoom(this.length);
    const bytes = this.#bytes;
    let [id, kept] = [0, 0];
    for (let row = 0, at = 0; row < this.length; row++) {
      let byte = bytes[at++] as number;
      const isUsual = (byte & 1) === 0;
      let gap = (byte >> 1) & 0x3f;
      for (let shift = 6; byte >= 0x80; shift += 7) {
        byte = bytes[at++] as number;
        gap |= (byte & 0x7f) << shift;
      }
      id += gap >>> 0;
      const impact = isUsual ? USUAL : (bytes[at++] as number);
      if (scope !== undefined && scope.scopes[id] !== scope.number) continue;
      ids[kept] = id;
      impacts[kept] = impact;
      kept += 1;
    }
    into.length = kept;
  }

  /** Which of some ids are in it, unpacked into the room given. */
  among(sorted: readonly number[], room: UnpackedRows): Set<number> {
    const found = new Set<number>();
    if (sorted.length === 0) return found;
    this.unpack(room);
    let at = 0;
    for (const id of sorted) {
      while (at < room.length && (room.ids[at] as number) < id) at += 1;
      if (at < room.length && room.ids[at] === id) found.add(id);
    }
    return found;
  }

  #resize(room: number): void {
    const bytes = new Uint8Array(room);
    bytes.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = bytes;
  }
}

/** Room for one term's rows at a time, used again for the next. */
export class UnpackedRows {
  ids = new Uint32Array(0);
  impacts = new Uint8Array(0);
  length = 0;

  withRoom(rows: number): this {
    if (rows > this.ids.length) {
      this.ids = new Uint32Array(Math.ceil(1.25 * rows));
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
      this.withRoom(2 * length + rows).length = length;
      this.ids.set(ids.subarray(0, length));
      this.impacts.set(impacts.subarray(0, length));
    }
    return this;
  }
}
