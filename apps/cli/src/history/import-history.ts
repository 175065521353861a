import { ChestError } from "@chest/contracts";
import { readProject } from "@chest/files/project";
import { added } from "./counts.ts";
import type { TranscriptFile } from "./find.ts";
import type { HistoryProgress } from "./progress-bar.ts";
import { readBeginning } from "./read.ts";
import type { Taken, Taker } from "./take.ts";

/** What an import of transcripts did. */
export interface HistoryReport {
  readonly projects: readonly string[];
  readonly sessions: { readonly parsed: number; readonly skipped: number };
  readonly total: Taken;
  /** Files that were not taken, and why. The rest was. */
  readonly errors: readonly { readonly file: string; readonly message: string }[];
}

export interface HistoryOptions {
  /** Everything goes into this project, wherever its agent worked. */
  readonly project: string | undefined;
  readonly progress: HistoryProgress;
}

const NOTHING: Taken = { lines: 0, skippedLines: 0, memories: {}, edits: 0, found: {}, dropped: {} };

/** Takes transcripts one after another. Throws what keeps all of them from being taken, such as a backend that is away. */
export async function importHistory(
  files: readonly TranscriptFile[],
  taker: Taker,
  { project: stated, progress }: HistoryOptions,
): Promise<HistoryReport> {
  const projects = new Set<string>();
  const errors: { file: string; message: string }[] = [];
  const projectOf = byFolder();
  let total = NOTHING;
  let [parsed, skipped, bytesBefore] = [0, 0, 0];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const [at, file] of files.entries()) {
    const tell = (read: number) =>
      progress.tell({ bytes: bytesBefore + Math.min(read, file.bytes), of: bytes, file: at + 1, files: files.length });
    tell(0);
    try {
      const { session, cwd } = await readBeginning(file.path);
      if (session === undefined) skipped += 1;
      else {
        const project = stated ?? projectOf(cwd);
        total = sum(total, await taker.take({ ...file, session, project }, tell));
        parsed += 1;
        if (project !== undefined) projects.add(project);
      }
    } catch (error) {
      if (concernsAll(error)) throw error;
      errors.push({ file: file.path, message: messageOf(error) });
    }
    bytesBefore += file.bytes;
  }
  progress.end();
  return { projects: [...projects].sort(), sessions: { parsed, skipped }, total, errors };
}

/** Sessions by the hundred ran in a handful of folders. */
function byFolder() {
  const known = new Map<string, string | undefined>();
  return (cwd: string | undefined): string | undefined => {
    if (cwd === undefined) return undefined;
    if (!known.has(cwd)) known.set(cwd, readProject(cwd));
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

/** Would the next file meet the same: no backend, no right, a full disk. */
function concernsAll(error: unknown): boolean {
  if (error instanceof ChestError) return !OF_ONE_FILE.has(error.code);
  return (error as NodeJS.ErrnoException)?.syscall === undefined;
}

const messageOf = (error: unknown): string =>
  error instanceof ChestError ? error.message : ((error as NodeJS.ErrnoException).code ?? "cannot be read");

function sum(one: Taken, other: Taken): Taken {
  return {
    lines: one.lines + other.lines,
    skippedLines: one.skippedLines + other.skippedLines,
    memories: added(one.memories, other.memories),
    edits: one.edits + other.edits,
    found: added(one.found, other.found),
    dropped: added(one.dropped, other.dropped),
  };
}
