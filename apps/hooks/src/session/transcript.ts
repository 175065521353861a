import { closeSync, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import type { Cursor } from "./session-journal.ts";

const PIECE_BYTES = 262_144;
const NEWLINE = 0x0a;

/**
 * Resolves a transcript's path; undefined when it is not below the agent's folder of transcripts, or is absent:
 * an event may not name any file of this machine to be sent away.
 */
export function realTranscript(path: string, folder: string): string | undefined {
  try {
    const [real, root] = [realpathSync(path), realpathSync(folder)];
    const way = relative(root, real);
    return way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : real;
  } catch {
    return undefined;
  }
}

export interface Line {
  readonly text: string;
  /** Cursor of the next line. */
  readonly next: Cursor;
}

/** Whole lines from a place on; the last one waits until it is written to its end. A file that has shrunk is read anew. */
export function* linesFrom(path: string, from: Cursor): Generator<Line> {
  const file = openSync(path, "r");
  try {
    const start = from.offset <= fstatSync(file).size ? from : { line: 0, offset: 0 };
    const piece = Buffer.alloc(PIECE_BYTES);
    let { line, offset } = start;
    let at = start.offset;
    let held: Buffer[] = [];
    for (let read = readSync(file, piece, 0, PIECE_BYTES, at); read > 0; ) {
      let begin = 0;
      for (let end = piece.indexOf(NEWLINE); end >= 0 && end < read; end = piece.indexOf(NEWLINE, begin)) {
        const whole = [...held, piece.subarray(begin, end)];
        const bytes = whole.reduce((sum, part) => sum + part.length, 1);
        offset += bytes;
        line += 1;
        yield { text: Buffer.concat(whole).toString("utf8"), next: { line, offset } };
        held = [];
        begin = end + 1;
      }
      if (begin < read) held.push(Buffer.from(piece.subarray(begin, read)));
      at += read;
      read = readSync(file, piece, 0, PIECE_BYTES, at);
    }
  } finally {
    closeSync(file);
  }
}
