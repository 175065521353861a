/** Inconsistency in the pages of the index: SQLite is asked instead, and reports damage itself. */
export class Unreadable extends Error {}

const MAIN_INDEX = 0x30;

/** A term as it stands on pages. */
export const bytesOfTerm = (term: string): Buffer => Buffer.concat([Buffer.of(MAIN_INDEX), Buffer.from(term)]);

/** Returns a page that is long enough to have a header; throws otherwise. */
export function checked(page: Buffer): Buffer {
  if (page.length < 4) throw new Unreadable("a page is too short");
  return page;
}

/** Offset at which a page's content ends and its term index begins. */
export function endOf(page: Buffer): number {
  const end = page.readUInt16BE(2);
  if (end > page.length) throw new Unreadable("a page is shorter than it says");
  return end;
}

/** Reads SQLite's variable-length integers: one to nine bytes, most significant first. */
export class Numbers {
  readonly page: Buffer;
  at = 0;

  constructor(page: Buffer) {
    this.page = page;
  }

  varint(): number {
    const { page } = this;
    let value = 0;
    for (let bytes = 0; bytes < 8; bytes++) {
      if (this.at >= page.length) throw new Unreadable("a number goes past its page");
      const byte = page[this.at++] as number;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new Unreadable("a number is too large");
  }
}

/** Goes over the terms that begin on a page, in their order; no generator, as every list that is read begins with it. */
class TermCursor {
  /** Number of bytes that this term shares with the one before. */
  shared = 0;
  /** Length in bytes. */
  length = 0;
  /** Offset of the bytes that the term does not share with the one before. */
  rest = 0;
  readonly #end: number;
  readonly #places: Numbers;
  readonly #entry: Numbers;
  #at = 0;
  #isFirst = true;

  constructor(page: Buffer) {
    this.#end = endOf(page);
    this.#places = new Numbers(page);
    this.#places.at = this.#end;
    this.#entry = new Numbers(page);
  }

  /** Moves to the next term; false where there is none. */
  next(): boolean {
    if (this.isLast) return false;
    this.#at += this.#places.varint();
    this.#entry.at = this.#at;
    const shared = this.#isFirst ? 0 : this.#entry.varint(); // The first of a page is whole.
    const own = this.#entry.varint();
    if (shared > this.length || this.#entry.at + own > this.#end) throw new Unreadable("a term goes past its page");
    this.#isFirst = false;
    this.shared = shared;
    this.length = shared + own;
    this.rest = this.#entry.at;
    return true;
  }

  get isLast(): boolean {
    return this.#places.at >= this.#places.page.length;
  }

  /** Offset at which this term's list ends, and the walk over the terms goes on. */
  endOfList(): number {
    return this.isLast ? this.#end : this.#at + this.#places.varint();
  }
}

/** Range of a term's list on the page that it begins on. */
export function placeOf(term: Buffer, page: Buffer): { readonly from: number; readonly to: number } | undefined {
  const cursor = new TermCursor(page);
  // Terms are sorted. A term that shares more bytes with the previous one than that one shares with ours cannot match;
  // one that shares fewer is already past ours.
  let same = 0;
  while (cursor.next()) {
    const { shared, length, rest } = cursor;
    if (shared < same) return undefined;
    if (shared > same) continue;
    while (same < length && same < term.length && page[rest + same - shared] === term[same]) same += 1;
    if (same === length && same === term.length) return { from: rest + length - shared, to: cursor.endOfList() };
    if (same === term.length || (same < length && (page[rest + same - shared] as number) > (term[same] as number)))
      return undefined;
  }
  return undefined;
}

/** Offset of the first term of a page, or the end of its content. */
export function firstTermOf(page: Buffer): number {
  const end = endOf(page);
  if (end === page.length) return end;
  const places = new Numbers(page);
  places.at = end;
  return places.varint();
}

/** Yields the terms that begin on a page, in order. The buffer of each is reused for the next. */
export function* termsOn(page: Buffer): Generator<Buffer> {
  const room = Buffer.alloc(page.length);
  const cursor = new TermCursor(page);
  while (cursor.next()) {
    const { shared, length, rest } = cursor;
    page.copy(room, shared, rest, rest + length - shared);
    yield room.subarray(0, length);
  }
}
