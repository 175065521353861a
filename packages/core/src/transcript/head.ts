import { isTranscriptSession, readEntry } from "./entry.ts";
import { charsOf, hasText, type Line, paced } from "./paced.ts";

/** A transcript's lines without their line ends. Read anew each time it is asked for them. */
export type Lines = () => AsyncIterable<Line> | Iterable<Line>;

const HEAD_LINES = 200;
// A transcript that names no session for so long is none.
const NAMELESS_LINES = 10_000;
const NAMELESS_CHARS = 16 * 1024 * 1024;

export interface HeadOptions {
  /** Index of the first of these lines in the transcript: 0 when they are all of it. */
  readonly fromLine?: number | undefined;
  /** Name of the session if no line gives one. */
  readonly session?: string | undefined;
}

/** Head of a transcript: the facts it states about itself. */
export interface Head {
  readonly session: string;
  readonly cwd: string | undefined;
}

/** The first session and folder that a line names. */
export async function headOf(lines: Lines, { session: stated, fromLine = 0 }: HeadOptions): Promise<Head | undefined> {
  let session: string | undefined;
  let cwd: string | undefined;
  let read = 0;
  let chars = 0;
  let isAnyTurn = false;
  for await (const line of paced(lines())) {
    chars += charsOf(line);
    if (typeof line === "string") read += 1;
    if (hasText(line)) {
      const entry = readEntry(line);
      if (entry.kind === "turn") {
        isAnyTurn = true;
        session ??= entry.session;
        cwd ??= entry.cwd;
      }
    }
    const isNamed = session !== undefined;
    if (isNamed && (cwd !== undefined || read >= HEAD_LINES)) break;
    if (!isNamed && (read >= NAMELESS_LINES || chars >= NAMELESS_CHARS)) break;
  }
  // In a transcript that begins elsewhere, lines without a turn count too, or the following ones would leave a gap.
  const isPart = isAnyTurn || fromLine > 0;
  const fallback = stated !== undefined && isTranscriptSession(stated) && isPart ? stated : undefined;
  const id = session ?? fallback;
  return id === undefined ? undefined : { session: id, cwd };
}
