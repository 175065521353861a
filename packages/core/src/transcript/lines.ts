const NEWLINE = 0x0a;

/** The lines of a transcript in memory, without their ends. A last one that nobody has finished writing is left out. */
export function* linesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let start = 0;
  for (;;) {
    const end = buffer.indexOf(NEWLINE, start);
    if (end === -1) break;
    yield buffer.toString("utf8", start, end);
    start = end + 1;
  }
  const rest = buffer.toString("utf8", start);
  if (rest.trim() !== "" && isWhole(rest)) yield rest;
}

/** The same of a file or a socket, however large: no more than one line and one piece is held. */
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
  const rest = textOf(held);
  if (rest.trim() !== "" && isWhole(rest)) yield rest;
}

const textOf = (held: readonly Buffer[], last?: Buffer): string =>
  held.length === 0 && last
    ? last.toString("utf8")
    : Buffer.concat(last ? [...held, last] : [...held]).toString("utf8");

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
