const LEAST_ROOM = 1024;

/**
 * Counts terms by a hash of 32 bits, in two arrays: a map of half a million terms takes ten times the memory. Terms of
 * the same hash are counted together, which happens to one in ten thousand.
 */
export class TermCounts {
  /** Hashes by place; 0: free. */
  #hashes = new Int32Array(LEAST_ROOM);
  #counts = new Uint16Array(LEAST_ROOM);
  /** Number of places that are not free, also those whose count is 0 again. */
  #taken = 0;

  of(hash: number): number {
    return this.#counts[this.#placeOf(hash)] as number;
  }

  add(hash: number, by: 1 | -1): void {
    const place = this.#placeOf(hash);
    if (this.#hashes[place] === 0) {
      this.#hashes[place] = hash;
      this.#taken += 1;
    }
    this.#counts[place] = (this.#counts[place] as number) + by;
    if (2 * this.#taken > this.#hashes.length) this.#makeRoom();
  }

  get bytes(): number {
    return this.#hashes.byteLength + this.#counts.byteLength;
  }

  /** The place of a hash, or the free place where it belongs. */
  #placeOf(hash: number): number {
    const last = this.#hashes.length - 1;
    let place = hash & last;
    while (this.#hashes[place] !== 0 && this.#hashes[place] !== hash) place = (place + 1) & last;
    return place;
  }

  #makeRoom(): void {
    const [hashes, counts] = [this.#hashes, this.#counts];
    const inUse = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    const room = Math.max(LEAST_ROOM, 2 ** Math.ceil(Math.log2(4 * inUse)));
    this.#hashes = new Int32Array(room);
    this.#counts = new Uint16Array(room);
    this.#taken = inUse;
    for (const [at, count] of counts.entries()) {
      if (count === 0) continue;
      const place = this.#placeOf(hashes[at] as number);
      this.#hashes[place] = hashes[at] as number;
      this.#counts[place] = count;
    }
  }
}

/** Hash of a term's key, never 0 (FNV-1a, then the finaliser of MurmurHash3). */
export function hashOfTerm(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return spread(hash) | 0 || 1;
}

/** Spreads numbers over 32 bits, each to a place of its own (the finaliser of MurmurHash3). */
export function spread(number: number): number {
  let hash = number ^ (number >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
