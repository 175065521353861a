import type { Segment } from "./segment.ts";

/** Positions of vectors. Objects, thousands per query, took a tenth of the time. */
export interface Places {
  readonly segments: readonly Segment[];
  /** Two numbers per vector: the index of its segment, and its slot. */
  readonly pairs: Int32Array;
}

/** Numbers per result: segment index, slot, distance. */
const EACH = 3;
const ROOM = EACH * 4096;
/** Larger buffers are not reused. */
const MOST_KEPT = 16 * ROOM;

/** Results of a scan, in the order in which they were found. */
export class ScanResults {
  #numbers = new Int32Array(ROOM);
  #length = 0;
  #segments: Segment[] = [];

  clear(): void {
    this.#length = 0;
    this.#segments = [];
    if (this.#numbers.length > MOST_KEPT) this.#numbers = new Int32Array(ROOM);
  }

  /** Starts the results of another segment. */
  begin(segment: Segment): void {
    this.#segments.push(segment);
  }

  /** @param scanned slot, relative to `first`, and distance of each. */
  add(first: number, scanned: Int32Array, count: number): void {
    this.#makeRoom(EACH * count);
    const numbers = this.#numbers;
    const segment = this.#segments.length - 1;
    let next = this.#length;
    for (let i = 0; i < count; i++) {
      numbers[next++] = segment;
      numbers[next++] = first + (scanned[2 * i] as number);
      numbers[next++] = scanned[2 * i + 1] as number;
    }
    this.#length = next;
  }

  /**
   * The nearest results within a distance, up to a number. Ties go to the smallest ids, because slots are arbitrary.
   */
  nearest(within: number, most: number): Places {
    const places = this.#placesByDistance(within);
    const count = Math.min(most, places[within + 1] as number);
    const pairs = new Int32Array(2 * count);
    // Distance at which some results are left out.
    let cut = within + 1;
    if (count < (places[within + 1] as number)) while ((places[cut] as number) > count) cut -= 1;
    const equals: number[] = [];
    for (let at = 0; at < this.#length; at += EACH) {
      const distance = this.#numbers[at + 2] as number;
      if (distance === cut) equals.push(at);
      if (distance >= cut || distance > within) continue;
      const place = places[distance] as number;
      places[distance] = place + 1;
      this.#copy(at, pairs, place);
    }
    equals.sort((a, b) => this.#idOf(a) - this.#idOf(b));
    const first = places[cut] as number;
    for (let place = first; place < count; place++) this.#copy(equals[place - first] as number, pairs, place);
    return { segments: this.#segments, pairs };
  }

  #copy(at: number, pairs: Int32Array, place: number): void {
    pairs[2 * place] = this.#numbers[at] as number;
    pairs[2 * place + 1] = this.#numbers[at + 1] as number;
  }

  #idOf(at: number): number {
    return this.#segments[this.#numbers[at] as number]?.ids[this.#numbers[at + 1] as number] as number;
  }

  /** Number of results nearer than each distance, up to `within` + 1. */
  #placesByDistance(within: number): Int32Array {
    const places = new Int32Array(within + 2);
    for (let at = 2; at < this.#length; at += EACH) {
      const distance = this.#numbers[at] as number;
      if (distance <= within) places[distance + 1] = (places[distance + 1] as number) + 1;
    }
    for (let distance = 1; distance < places.length; distance++)
      places[distance] = (places[distance] as number) + (places[distance - 1] as number);
    return places;
  }

  #makeRoom(more: number): void {
    if (this.#length + more <= this.#numbers.length) return;
    const larger = new Int32Array(2 * (this.#length + more));
    larger.set(this.#numbers.subarray(0, this.#length));
    this.#numbers = larger;
  }
}
