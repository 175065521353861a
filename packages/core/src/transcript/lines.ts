import { MAX_LINE_CHARS, readEntry } from "./entry.ts";

const NEWLINE = 0x0a;

// One turn of a loop over bytes: a millisecond.
const MOST_EMPTY = 1 << 20;

/** Empty lines that follow one another, as one: a megabyte of line ends costs no million strings. */
export interface EmptyLines {
  readonly empty: number;
}

/** The lines of a transcript in memory, without their ends. An unfinished last one is left out. */
export function* linesOf(bytes: Uint8Array): Generator<string | EmptyLines> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  while (start < buffer.length) {
    const empty = emptyLinesAt(buffer, start);
    if (empty > 0) {
      yield { empty };
      start += empty;
      continue;
    }
    const end = buffer.indexOf(NEWLINE, start);
    if (end === -1) break;
    yield buffer.toString("utf8", start, end);
    start = end + 1;
  }
  const rest = buffer.subarray(start);
  if (isWhole([rest])) yield rest.toString("utf8");
}

function emptyLinesAt(buffer: Buffer, start: number): number {
  const most = Math.min(MOST_EMPTY, buffer.length - start);
  let found = 0;
  while (found < most && buffer[start + found] === NEWLINE) found += 1;
  return found;
}

/** The lines of a file or a socket of any size: no more than one line and one piece is held. */
export async function* linesOfStream(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  for await (const piece of pieces) {
    const buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (;;) {
      const end = buffer.indexOf(NEWLINE, start);
      if (end === -1) break;
      yield textOf(held, buffer.subarray(start, end));
      held = [];
      start = end + 1;
    }
    if (start < buffer.length) held.push(Buffer.from(buffer.subarray(start)));
  }
  if (isWhole(held)) yield textOf(held);
}

const textOf = (held: readonly Buffer[], last?: Buffer): string =>
  held.length === 0 && last
    ? last.toString("utf8")
    : Buffer.concat(last ? [...held, last] : [...held]).toString("utf8");

/** Lines longer than can be read are not parsed. */
function isWhole(held: readonly Buffer[]): boolean {
  const bytes = held.reduce((sum, { length }) => sum + length, 0);
  if (bytes > MAX_LINE_CHARS * 3) return false;
  const entry = readEntry(textOf(held));
  return entry.kind !== "skipped" || (entry.reason !== "not_json" && entry.reason !== "too_deep");
}
