import { hash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { TranscriptFile } from "./find.ts";

/** Notes that an agent keeps beside the transcripts of a project. */
export interface MemoryFolder {
  /** Folder of the transcripts. */
  readonly beside: string;
  /** The same for the same folder, and telling nothing of where it lies. */
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

/** The `memory/*.md` beside some transcripts. `MEMORY.md` lists the others: by itself it counts, beside them it does not. */
export async function memoryFoldersBeside(transcripts: readonly TranscriptFile[]): Promise<MemoryFolder[]> {
  const folders = [...new Set(transcripts.map(({ path }) => dirname(path)))];
  const found = await Promise.all(
    folders.map(async (beside): Promise<MemoryFolder[]> => {
      const entries = await readdir(join(beside, "memory"), { withFileTypes: true }).catch(() => undefined);
      if (!entries) return [];
      const notes = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".md")).map(({ name }) => name);
      const others = notes.filter((name) => name !== INDEX);
      const id = hash("sha256", basename(beside), "hex").slice(0, 16);
      return [{ beside, id, files: (others.length > 0 ? others : notes).sort() }];
    }),
  );
  return found.flat();
}

/** One that is longer than any note, or has just gone, is left out. */
export async function readNote({ beside }: MemoryFolder, name: string): Promise<Note | undefined> {
  const path = join(beside, "memory", name);
  const stats = await lstat(path).catch(() => undefined);
  if (!stats || stats.size > MOST_BYTES) return undefined;
  return { path: name, text: await readFile(path, "utf8"), modified_at: stats.mtime.toISOString() };
}
