/** Longest term of the table, in UTF-16 units; longer pieces of a text are not looked for. */
export const MAX_TERM = 12;

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const OTHER_OFFSET = 0x9747b28c;
const OTHER_PRIME = 0x5bd1e995;

/**
 * Terms by two hashes of 32 bits: one finds the slot, the other tells whether the term is the one that was meant. The
 * terms themselves are not kept, so nothing is parsed at the start and a part of a text is looked up without being cut
 * out. Of a million unknown terms less than one is taken for a known one.
 */
export class TermIndex {
  readonly #fingerprints: Uint32Array;
  readonly #rows: Uint16Array | Uint32Array;
  readonly #mask: number;

  /** @param rows row + 1 by slot, 0 where the slot is empty. The number of slots is a power of two, some always empty. */
  constructor(fingerprints: Uint32Array, rows: Uint16Array | Uint32Array) {
    this.#fingerprints = fingerprints;
    this.#rows = rows;
    this.#mask = rows.length - 1;
  }

  /** Row of the whole of a term, -1 where it is not known. */
  rowOf(term: string): number {
    let [hash, other] = [OFFSET, OTHER_OFFSET];
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at);
      hash = Math.imul(hash ^ unit, PRIME);
      other = mixed(other, unit);
    }
    return this.#find(hash, other);
  }

  /** Finds the longest known term that begins at a place. Sets `row` and `length`; -1 and 1 where none does. */
  longestAt(text: string, from: number, found: Match): void {
    found.row = -1;
    found.length = 1;
    const end = Math.min(text.length, from + MAX_TERM);
    let [hash, other] = [OFFSET, OTHER_OFFSET];
    for (let at = from; at < end; at++) {
      const unit = text.charCodeAt(at);
      hash = Math.imul(hash ^ unit, PRIME);
      other = mixed(other, unit);
      const row = this.#find(hash, other);
      if (row < 0) continue;
      found.row = row;
      found.length = at - from + 1;
    }
  }

  /** Writes the row of every term that begins at a place, by its length less one; -1 where there is none of that length. */
  knownFrom(text: string, from: number, end: number, known: Int32Array): void {
    let [hash, other] = [OFFSET, OTHER_OFFSET];
    for (let at = from; at < end; at++) {
      const unit = text.charCodeAt(at);
      hash = Math.imul(hash ^ unit, PRIME);
      other = mixed(other, unit);
      known[at - from] = this.#find(hash, other);
    }
  }

  #find(hash: number, other: number): number {
    const fingerprint = other >>> 0;
    for (let slot = slotOf(hash, this.#mask); ; slot = (slot + 1) & this.#mask) {
      const row = this.#rows[slot] ?? 0;
      if (row === 0) return -1;
      if (this.#fingerprints[slot] === fingerprint) return row - 1;
    }
  }
}

export interface Match {
  row: number;
  length: number;
}

/** The slots of terms, in the order of their rows, which fill the array that is given. Throws where two terms cannot be told apart. */
export function indexTerms<Rows extends Uint16Array | Uint32Array>(
  terms: Iterable<string>,
  slots: number,
  rows: Rows,
): { fingerprints: Uint32Array; rows: Rows } {
  const fingerprints = new Uint32Array(slots);
  let row = 0;
  for (const term of terms) {
    let [hash, other] = [OFFSET, OTHER_OFFSET];
    for (let at = 0; at < term.length; at++) {
      const unit = term.charCodeAt(at);
      hash = Math.imul(hash ^ unit, PRIME);
      other = mixed(other, unit);
    }
    const mask = slots - 1;
    let slot = slotOf(hash, mask);
    while (rows[slot] !== 0) {
      if (fingerprints[slot] === other >>> 0) throw new Error(`\`${term}\` cannot be told from another term`);
      slot = (slot + 1) & mask;
    }
    fingerprints[slot] = other >>> 0;
    row += 1;
    rows[slot] = row;
  }
  return { fingerprints, rows };
}

const mixed = (hash: number, unit: number): number => {
  const turned = Math.imul(hash ^ unit, OTHER_PRIME);
  return turned ^ (turned >>> 15);
};

const slotOf = (hash: number, mask: number): number => (hash ^ (hash >>> 15)) & mask;
