import { hash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isConflictCopy } from "../files/conflict-copies.ts";
import type { TranscriptFile } from "./find.ts";

/** Notes that an agent keeps beside the transcripts of a project. */
export interface MemoryFolder {
  /** Folder of the transcripts. */
  readonly beside: string;
  /** Stable digest of the folder's path, which does not reveal the path. */
  readonly id: string;
  readonly files: readonly string[];
}

export interface Note {
  readonly path: string;
  readonly text: string;
  readonly modified_at: string;
}

const INDEX = "MEMORY.md";
const MOST_BYTES = 100_000;

/**
 * Finds the `memory/*.md` files beside transcripts. `MEMORY.md` lists the other files, so it is used only if it is the
 * only one.
 */
export async function memoryFoldersBeside(transcripts: readonly TranscriptFile[]): Promise<MemoryFolder[]> {
  const folders = [...new Set(transcripts.map(({ path }) => dirname(path)))];
  const found = await Promise.all(
    folders.map(async (beside): Promise<MemoryFolder[]> => {
      const entries = await readdir(join(beside, "memory"), { withFileTypes: true }).catch(() => undefined);
      if (!entries) return [];
      const notes = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !isConflictCopy(entry.name))
        .map(({ name }) => name);
      const others = notes.filter((name) => name !== INDEX);
      const id = hash("sha256", basename(beside), "hex").slice(0, 16);
      return [{ beside, id, files: (others.length > 0 ? others : notes).sort() }];
    }),
  );
  return found.flat();
}

/** A file that is too long for a note, or has just been deleted, is left out. */
export async function readNote({ beside }: MemoryFolder, name: string): Promise<Note | undefined> {
  const path = join(beside, "memory", name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats || stats.size > MOST_BYTES) return undefined;
  return { path: name, text: await readFile(path, "utf8"), modified_at: stats.mtime.toISOString() };
}
