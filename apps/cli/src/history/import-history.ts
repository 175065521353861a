import { dirname, join } from "node:path";
import { ChestError } from "@chest/contracts";
import { storableProjectKey } from "@chest/core/access";
import { MOST_MEMORY_FILES } from "@chest/core/transcript";
import { type ProjectKeys, readProjectKeys } from "@chest/files/project";
import type { Env } from "@chest/runtime";
import { added } from "./counts.ts";
import type { TranscriptFile } from "./find.ts";
import { isKeptOut } from "./kept-out.ts";
import { type MemoryFolder, type Note, readNote } from "./memory-folders.ts";
import type { HistoryProgress } from "./progress.ts";
import { readBeginning } from "./read.ts";
import type { ImportedCounts, TranscriptSink } from "./take.ts";

/** Outcome of an import of transcripts. */
export interface HistoryReport {
  readonly projects: readonly string[];
  readonly sessions: {
    readonly parsed: number;
    readonly skipped: number;
    /** Number of sessions whose folder or project is excluded from Chest. */
    readonly excluded: number;
  };
  /** Notes that the agent kept beside the transcripts. */
  readonly notes: number;
  readonly total: ImportedCounts;
  /** Files that were not imported, with reasons. All others were imported. */
  readonly errors: readonly { readonly file: string; readonly message: string }[];
}

export interface HistoryOptions {
  /** Project for all sessions, wherever their agents worked. */
  readonly project: string | undefined;
  readonly progress: Pick<HistoryProgress, "tell">;
  /** Environment that names excluded folders and projects, and git's configuration. */
  readonly env: Env;
}

const NOTHING: ImportedCounts = { lines: 0, skippedLines: 0, memories: {}, edits: 0, found: {}, dropped: {} };

/** Imports transcripts one after another. Throws a failure that stops all of them, such as an unreachable backend. */
export async function importHistory(
  { files, folders }: { readonly files: readonly TranscriptFile[]; readonly folders: readonly MemoryFolder[] },
  sink: TranscriptSink,
  { project: stated, progress, env }: HistoryOptions,
): Promise<HistoryReport> {
  const projects = new Set<string>();
  const errors: { file: string; message: string }[] = [];
  const projectOf = byFolder(env);
  const projectBeside = new Map<string, string>();
  const closed = new Set<string>();
  let total = NOTHING;
  let [parsed, skipped, excluded, bytesBefore] = [0, 0, 0, 0];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const [at, file] of files.entries()) {
    const tell = (read: number) =>
      progress.tell({ bytes: bytesBefore + Math.min(read, file.bytes), of: bytes, file: at + 1, files: files.length });
    tell(0);
    try {
      const { session, cwd } = await readBeginning(file.path);
      const keys = stated === undefined ? projectOf(cwd) : { key: stated };
      const project = keys && storableProjectKey(keys.key);
      if (session === undefined) skipped += 1;
      else if (isKeptOut(cwd ?? dirname(file.path), keys, env)) {
        excluded += 1;
        closed.add(dirname(file.path));
      } else {
        // Notes belong to the project even when the transcript is left out.
        if (project !== undefined) projectBeside.set(dirname(file.path), project);
        total = sum(total, await sink.take({ ...file, session, project }, tell));
        parsed += 1;
        if (project !== undefined) projects.add(project);
      }
    } catch (error) {
      if (concernsAll(error)) throw error;
      errors.push({ file: file.path, message: messageOf(error) });
    }
    bytesBefore += file.bytes;
  }
  let notes = 0;
  for (const folder of folders) {
    if (closed.has(folder.beside)) continue;
    try {
      const taken = await takeNotes(folder, sink, stated ?? projectBeside.get(folder.beside));
      total = { ...total, memories: added(total.memories, taken) };
      notes += folder.files.length;
    } catch (error) {
      if (concernsAll(error)) throw error;
      errors.push({ file: join(folder.beside, "memory"), message: messageOf(error) });
    }
  }
  return { projects: [...projects].sort(), sessions: { parsed, skipped, excluded }, notes, total, errors };
}

const NOTES_AT_ONCE = 40;
const NOTE_CHARS_AT_ONCE = 200_000;

/**
 * Sends the notes of a folder in batches. The last batch lists all notes, so that memories of deleted notes are
 * archived.
 */
async function takeNotes(folder: MemoryFolder, sink: TranscriptSink, project: string | undefined) {
  let taken: Record<string, number> = {};
  let batch: Note[] = [];
  const send = async (present?: readonly string[]) => {
    taken = added(taken, await sink.takeNotes({ folder: folder.id, project, files: batch, present }));
    batch = [];
  };
  for (const name of folder.files) {
    const note = await readNote(folder, name);
    if (note) batch.push(note);
    const chars = batch.reduce((sum, { text }) => sum + text.length, 0);
    if (batch.length >= NOTES_AT_ONCE || chars >= NOTE_CHARS_AT_ONCE) await send();
  }
  await send(folder.files.length <= MOST_MEMORY_FILES ? folder.files : undefined);
  return taken;
}

/** Caches projects by folder, since hundreds of sessions may have run in a few folders. */
function byFolder(env: Env) {
  const known = new Map<string, ProjectKeys | undefined>();
  return (cwd: string | undefined): ProjectKeys | undefined => {
    if (cwd === undefined) return undefined;
    if (!known.has(cwd)) known.set(cwd, readProjectKeys(cwd, env));
    return known.get(cwd);
  };
}

const OF_ONE_FILE = new Set([
  "NOT_FOUND",
  "VERSION_CONFLICT",
  "INVALID_INPUT",
  "VALIDATION_ERROR",
  "PAYLOAD_TOO_LARGE",
]);

/** Tells whether the next file would fail too: no backend, no right, a full disk. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ChestError) return !OF_ONE_FILE.has(error.code);
  return (error as NodeJS.ErrnoException)?.syscall === undefined;
}

const messageOf = (error: unknown): string =>
  error instanceof ChestError ? error.message : ((error as NodeJS.ErrnoException).code ?? "cannot be read");

function sum(one: ImportedCounts, other: ImportedCounts): ImportedCounts {
  return {
    lines: one.lines + other.lines,
    skippedLines: one.skippedLines + other.skippedLines,
    memories: added(one.memories, other.memories),
    edits: one.edits + other.edits,
    found: added(one.found, other.found),
    dropped: added(one.dropped, other.dropped),
  };
}
