/** What the pages say does not fit together: SQLite is asked instead, and says so itself if they are damaged. */
export class Unreadable extends Error {}

const MAIN_INDEX = 0x30;

/** A term as it stands on pages. */
export const bytesOfTerm = (term: string): Buffer => Buffer.concat([Buffer.of(MAIN_INDEX), Buffer.from(term)]);

/** A page that is long enough to say what is on it. */
export function checked(page: Buffer): Buffer {
  if (page.length < 4) throw new Unreadable("a page is too short");
  return page;
}

/** Where its content ends, and the places of its terms begin. */
export function endOf(page: Buffer): number {
  const end = page.readUInt16BE(2);
  if (end > page.length) throw new Unreadable("a page is shorter than it says");
  return end;
}

/** Numbers of one to nine bytes, the highest first. */
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

/** Where the list of a term begins and ends on the page that it begins on. */
export function placeOf(term: Buffer, page: Buffer): { readonly from: number; readonly to: number } | undefined {
  const end = endOf(page);
  const footer = new Numbers(page);
  footer.at = end;
  const entry = new Numbers(page);
  let at = 0;
  // Terms are sorted, and say how many bytes they share with the one before. As long as those are more than that one has
  // of ours, nothing new is said; once they are fewer, ours is passed.
  let [same, known] = [0, 0];
  for (let isFirst = true; footer.at < page.length; isFirst = false) {
    at += footer.varint();
    entry.at = at;
    const shared: number = isFirst ? 0 : entry.varint(); // The first of a page is whole.
    const length = entry.varint();
    const from = entry.at + length;
    if (shared > known || from > end) throw new Unreadable("a term goes past its page");
    known = shared + length;
    if (shared < same) return undefined;
    if (shared > same) continue;
    while (same < known && same < term.length && page[entry.at + same - shared] === term[same]) same += 1;
    if (same === known && same === term.length)
      return { from, to: footer.at < page.length ? at + footer.varint() : end };
    if (same === term.length || (same < known && (page[entry.at + same - shared] as number) > (term[same] as number)))
      return undefined;
  }
  return undefined;
}

/** Where the first term of a page begins, or its content ends. */
export function firstTermOf(page: Buffer): number {
  const end = endOf(page);
  if (end === page.length) return end;
  const footer = new Numbers(page);
  footer.at = end;
  return footer.varint();
}

/** The terms that begin on a page, in their order. Each holds until the next is asked for. */
export function* termsOn(page: Buffer): Generator<Buffer> {
  const end = endOf(page);
  const footer = new Numbers(page);
  footer.at = end;
  const entry = new Numbers(page);
  const room = Buffer.alloc(page.length);
  let [at, known] = [0, 0];
  for (let isFirst = true; footer.at < page.length; isFirst = false) {
    at += footer.varint();
    entry.at = at;
    const shared: number = isFirst ? 0 : entry.varint(); // The first of a page is whole.
    const length = entry.varint();
    if (shared > known || entry.at + length > end) throw new Unreadable("a term goes past its page");
    known = shared + length;
    page.copy(room, shared, entry.at, entry.at + length);
    yield room.subarray(0, known);
  }
}
