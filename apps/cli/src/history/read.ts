import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isTranscriptSession, linesOfStream, readEntry } from "@chest/core/transcript";

/** Facts from the first lines of a transcript. */
export interface Beginning {
  readonly session: string | undefined;
  /** Working directory of the agent. */
  readonly cwd: string | undefined;
}

const LINES_LOOKED_AT = 500;

/** Reads the lines of a transcript. @param onBytes called with the number of bytes read so far */
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
  if (session === undefined || !isTranscriptSession(session)) return { session: undefined, cwd };
  return { session, cwd: cwd ?? (await projectRootOf(path)) };
}

/** Gemini CLI writes the folder of a project once for all its sessions, in a file beside their folder. */
const projectRootOf = (path: string): Promise<string | undefined> =>
  readFile(join(dirname(path), "..", ".project_root"), "utf8").then(
    (text) => text.trim() || undefined,
    () => undefined,
  );
