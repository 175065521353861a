import { FINGERPRINT_LENGTH, fingerprintOf, type Memory, sharedBits } from "@chest/core";
import type { Statements } from "../database/connection.ts";

const MOST_ROWS = 1000;
const MOST_PLACES = 1000;
const FIRST_ROOM = 32;
// Rows that another process wrote with an older date, or whose words have changed, are seen once this is over.
const KEPT_S = 600;

// By the entity: the index of a space would walk through all that others wrote there.
const NEWEST = `SELECT id, content, created_at FROM memories
  WHERE entity_id = ? AND +space = ? AND archived_at IS NULL AND created_at >= ? AND id > ? ORDER BY created_at DESC, id DESC LIMIT ${MOST_ROWS}`;

interface Row {
  readonly id: number;
  readonly content: string;
  readonly created_at: number;
}

interface Place {
  readonly readAtS: number;
  /** From then on rows are read anew. */
  newestS: number;
  lastId: number;
  readonly at: Map<number, number>;
  /** Of its rows one after another; doubled as they come. */
  bits: Int32Array;
  next: number;
}

/**
 * Fingerprints of the newest memories of the entities that were written to last, so that a save finds what is like it
 * without a search: one look at an index, and some bits compared.
 */
export class Fingerprints {
  readonly #places = new Map<string, Place>();

  /** Ids of the rows most like a memory, most alike first; what has changed since they were read may be among them. */
  nearest(connection: Statements, memory: Memory, nowS: number, limit: number): number[] {
    const place = this.#place(connection, memory, nowS);
    const own = fingerprintOf(memory.content);
    const found: { readonly id: number; readonly share: number }[] = [];
    for (const [id, at] of place.at) {
      if (id === memory.id) continue;
      const share = sharedBits(own, place.bits, at * FINGERPRINT_LENGTH);
      if (share > 0) found.push({ id, share });
    }
    return found
      .sort((a, b) => b.share - a.share || b.id - a.id)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  #place(connection: Statements, { entity, space }: Memory, nowS: number): Place {
    const key = `${entity.id}\n${space}`;
    const known = this.#places.get(key);
    const isOld = known !== undefined && nowS - known.readAtS > KEPT_S;
    const place = known && !isOld ? known : emptyPlace(nowS);
    this.#places.delete(key);
    this.#places.set(key, place);
    for (const row of connection.all<Row>(NEWEST, entity.id, space, place.newestS, place.lastId).reverse())
      put(place, row);
    for (const [oldest] of this.#places) {
      if (this.#places.size <= MOST_PLACES) break;
      this.#places.delete(oldest);
    }
    return place;
  }
}

const emptyPlace = (readAtS: number): Place => ({
  readAtS,
  newestS: 0,
  lastId: 0,
  at: new Map(),
  bits: new Int32Array(FIRST_ROOM * FINGERPRINT_LENGTH),
  next: 0,
});

/** A newer row takes the room of the oldest. */
function put(place: Place, { id, content, created_at }: Row): void {
  place.newestS = Math.max(place.newestS, created_at);
  place.lastId = Math.max(place.lastId, id);
  if (place.at.has(id)) return;
  const room = place.next % MOST_ROWS;
  place.next += 1;
  if (place.next > MOST_ROWS) {
    const [oldest] = place.at.keys();
    if (oldest !== undefined) place.at.delete(oldest);
  }
  place.at.set(id, room);
  if ((room + 1) * FINGERPRINT_LENGTH > place.bits.length) {
    const wider = new Int32Array(2 * place.bits.length);
    wider.set(place.bits);
    place.bits = wider;
  }
  place.bits.set(fingerprintOf(content), room * FINGERPRINT_LENGTH);
}
