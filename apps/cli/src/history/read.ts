import { createReadStream } from "node:fs";
import { isTranscriptSession, linesOfStream, readEntry } from "@chest/core";

/** Facts from the first lines of a transcript. */
export interface Beginning {
  readonly session: string | undefined;
  /** Working directory of the agent. */
  readonly cwd: string | undefined;
}

const LINES_LOOKED_AT = 500;

/** Lines of a transcript. @param onBytes called with the number of bytes read so far */
export const linesOf = (path: string, onBytes: (bytes: number) => void = () => undefined): AsyncGenerator<string> =>
  linesOfStream(counted(path, onBytes));

async function* counted(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 })) {
    yield piece;
    bytes += piece.length;
    onBytes(bytes);
  }
}

export async function readBeginning(path: string): Promise<Beginning> {
  let session: string | undefined;
  let cwd: string | undefined;
  let read = 0;
  for await (const line of linesOf(path)) {
    const entry = readEntry(line);
    if (entry.kind === "turn") {
      session ??= entry.session;
      cwd ??= entry.cwd;
    }
    read += 1;
    if ((session !== undefined && cwd !== undefined) || read >= LINES_LOOKED_AT) break;
  }
  return { session: session !== undefined && isTranscriptSession(session) ? session : undefined, cwd };
}
