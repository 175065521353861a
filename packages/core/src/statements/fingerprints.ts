import type { Space } from "../access/space.ts";
import type { Memory } from "../memory/memory.ts";
import type { NewMemory } from "../ports/store.ts";
import { FINGERPRINT_LENGTH, fingerprintOf, sharedBits, sizeOf } from "./fingerprint.ts";

/** Number of newest rows kept for each entity and space. */
export const MOST_FINGERPRINTS = 1000;
const MOST_PLACES = 1000;
const FIRST_ROOM = 32;
// Seconds until a place is loaded again, so that changed rows and rows with an older date from other processes are
// seen.
const KEPT_S = 600;

export interface FingerprintRow {
  readonly id: number;
  readonly content: string;
  readonly created_at: number;
}

interface PlaceIndex {
  readonly readAtS: number;
  /** Rows from this second on are read again. */
  newestS: number;
  lastId: number;
  readonly at: Map<number, number>;
  /** Fingerprints of the rows, concatenated; the capacity doubles. */
  bits: Int32Array;
  /** Number of set bits of each. */
  sizes: Int16Array;
  next: number;
}

type Placed = Pick<Memory, "space"> & { readonly entity: Pick<Memory["entity"], "id"> };

/** A memory with its place; for one that is to be stored, the store determines the place. */
export function placedFor(
  memory: Memory | NewMemory,
  spaceOfDraft: (draft: NewMemory) => Space,
): Pick<Memory, "id" | "content" | "entity" | "space"> {
  if ("space" in memory) return memory;
  const { entity, text, beside } = memory;
  return { id: NO_ID, content: text.content, entity, space: beside?.space ?? spaceOfDraft(memory) };
}

/** Id that no row has. */
const NO_ID = 0;

/**
 * Fingerprints of the newest memories of recently written entities, so that a save finds similar ones without a search.
 */
export class Fingerprints {
  readonly #places = new Map<string, PlaceIndex>();
  /** The last compared text: once stored, it is the first row to read. */
  #last = { content: "", bits: fingerprintOf("") };

  /** Second and id from which the rows of a memory's entity and space must still be read. */
  readUpTo(memory: Placed, nowS: number): Readonly<Pick<PlaceIndex, "newestS" | "lastId">> {
    return this.#place(memory, nowS);
  }

  /**
   * Ids of the most similar rows, most similar first; some may have changed since they were read.
   * @param rows rows that were not read before, oldest first
   */
  nearest(
    memory: Pick<Memory, "id" | "content"> & Placed,
    rows: readonly FingerprintRow[],
    nowS: number,
    limit: number,
  ): number[] {
    const place = this.#place(memory, nowS);
    for (const row of rows) put(place, row, this.#bitsOf(row.content));
    const own = this.#bitsOf(memory.content);
    this.#last = { content: memory.content, bits: own };
    const size = sizeOf(own);
    const found: { readonly id: number; readonly share: number }[] = [];
    for (const [id, at] of place.at) {
      if (id === memory.id) continue;
      const fewer = Math.min(size, place.sizes[at] as number);
      const share = sharedBits(own, place.bits, at * FINGERPRINT_LENGTH, fewer);
      const least = found[limit - 1];
      if (share === 0 || (least && (share < least.share || (share === least.share && id < least.id)))) continue;
      if (least) found.pop();
      const before = found.findIndex((each) => share > each.share || (share === each.share && id > each.id));
      found.splice(before === -1 ? found.length : before, 0, { id, share });
    }
    return found.map(({ id }) => id);
  }

  #bitsOf(content: string): Int32Array {
    return content === this.#last.content ? this.#last.bits : fingerprintOf(content);
  }

  #place({ entity, space }: Placed, nowS: number): PlaceIndex {
    const key = `${entity.id}\n${space}`;
    const known = this.#places.get(key);
    const isOld = known !== undefined && nowS - known.readAtS > KEPT_S;
    const place = known && !isOld ? known : emptyPlace(nowS);
    this.#places.delete(key);
    this.#places.set(key, place);
    for (const [oldest] of this.#places) {
      if (this.#places.size <= MOST_PLACES) break;
      this.#places.delete(oldest);
    }
    return place;
  }
}

const emptyPlace = (readAtS: number): PlaceIndex => ({
  readAtS,
  newestS: 0,
  lastId: 0,
  at: new Map(),
  bits: new Int32Array(FIRST_ROOM * FINGERPRINT_LENGTH),
  sizes: new Int16Array(FIRST_ROOM),
  next: 0,
});

/** A newer row replaces the oldest. */
function put(place: PlaceIndex, { id, created_at }: FingerprintRow, bits: Int32Array): void {
  place.newestS = Math.max(place.newestS, created_at);
  place.lastId = Math.max(place.lastId, id);
  if (place.at.has(id)) return;
  const room = place.next % MOST_FINGERPRINTS;
  place.next += 1;
  if (place.next > MOST_FINGERPRINTS) {
    const [oldest] = place.at.keys();
    if (oldest !== undefined) place.at.delete(oldest);
  }
  place.at.set(id, room);
  if ((room + 1) * FINGERPRINT_LENGTH > place.bits.length) {
    const wider = new Int32Array(2 * place.bits.length);
    wider.set(place.bits);
    place.bits = wider;
    const sizes = new Int16Array(2 * place.sizes.length);
    sizes.set(place.sizes);
    place.sizes = sizes;
  }
  place.bits.set(bits, room * FINGERPRINT_LENGTH);
  place.sizes[room] = sizeOf(bits);
}
