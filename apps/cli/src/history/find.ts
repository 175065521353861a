import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "@chest/runtime";
import { quoted } from "@chest/runtime/shell-words";
import { isConflictCopy } from "../files/conflict-copies.ts";

/** Transcript of a session, as its agent recorded it. */
export interface TranscriptFile {
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

const DEEPEST = 6;
// Subagents have separate transcript files, in a folder below that of their session.
const OF_HELPERS = /^(?:subagents|agent-.*\.jsonl)$/;

/** Finds the transcripts below some folders, oldest first. Links are not followed. */
export async function findTranscripts(folders: readonly string[]): Promise<TranscriptFile[]> {
  const found = new Map<string, TranscriptFile>();
  for (const folder of folders) {
    const stats = await lstat(folder).catch(() => undefined);
    if (!stats) throw new StartError(`there is no folder \`${folder}\``, "name a folder of transcripts, or `--all`");
    if (!stats.isDirectory()) {
      throw new StartError(
        `\`${folder}\` is not a folder`,
        `\`chest-index import --session-file ${quoted(folder)}\` takes one transcript`,
      );
    }
    for await (const file of below(folder, 0)) found.set(file.path, file);
  }
  return oldestFirst([...found.values()]);
}

/** A later session's rule comes after the one that it replaces. */
export const oldestFirst = (files: readonly TranscriptFile[]): TranscriptFile[] =>
  files.toSorted((a, b) => a.changedAt - b.changedAt || (a.path < b.path ? -1 : 1));

async function* below(folder: string, depth: number): AsyncGenerator<TranscriptFile> {
  // A folder that may not be read is treated as empty.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (OF_HELPERS.test(entry.name) || isConflictCopy(entry.name)) continue;
    if (entry.isDirectory() && depth < DEEPEST) yield* below(path, depth + 1);
    else if (entry.isFile() && entry.name.endsWith(".jsonl")) yield await transcriptAt(path);
  }
}

export async function transcriptAt(path: string): Promise<TranscriptFile> {
  try {
    const { size, mtimeMs } = await lstat(path);
    return { path, bytes: size, changedAt: mtimeMs };
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new StartError(`\`${path}\` cannot be read (${code})`, "name the transcript of a session");
  }
}
