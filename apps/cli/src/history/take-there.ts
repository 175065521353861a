import type { Backend } from "@chest/client";
import { ChestError, endpoints, HEADERS } from "@chest/contracts";
import { redact } from "@chest/core/redaction";
import { slimLine } from "@chest/core/transcript";
import { added } from "./counts.ts";
import { linesOf } from "./read.ts";
import type { ImportedCounts, TakeOptions, TranscriptSink, TranscriptToImport } from "./take.ts";

const MOST_AT_ONCE = { lines: 5_000, chars: 4_000_000 };
// A dry run stores no progress to continue from, so as many lines as possible go into one request.
const MOST_AT_ONCE_DRY = { lines: 100_000, chars: 12_000_000 };
// The limits are generous because an import runs unattended and can wait for a busy backend.
const PATIENCE = { tries: 8, withinMs: 300_000 };
/** Line number beyond any transcript; the backend's answer names the line that it expects. */
const BEYOND = 2 ** 31;
const RESTARTS = 3;

/**
 * Sends transcripts to a backend, from the line that it expects. Of each line it sends only the fields that are read,
 * redacted.
 */
export function remoteSink(backend: Backend, machine: string, options: TakeOptions): TranscriptSink {
  const { isDry, keepOld } = options;
  return {
    into: backend.url,
    async takeNotes({ project, files, ...batch }) {
      const redacted = files.map(({ text, ...file }) => ({ ...file, text: redact(text) }));
      const body = { machine, ...batch, files: redacted, ...(isDry ? { dry_run: true } : {}) };
      const options = { body, headers: inProject(project), isRepeatable: true, ...PATIENCE };
      return (await backend.call(endpoints.memoryFiles, options)).memories;
    },
    async keep(session, project, occasion) {
      if (isDry) return;
      const endpoint = occasion === "precompact" ? endpoints.hookPreCompact : endpoints.hookSessionEnd;
      const options = { body: { session_id: session }, headers: inProject(project), isRepeatable: true, ...PATIENCE };
      await backend.call(endpoint, options);
    },
    async take(transcript, onBytes) {
      // Lines before this one were sent earlier.
      let from = keepOld === undefined ? await knownOf(backend, transcript) : 0;
      for (let restarts = 0; ; restarts++) {
        try {
          return await sendFrom(from, backend, transcript, options, onBytes);
        } catch (error) {
          const expected = expectedLine(error);
          if (expected === undefined || restarts === RESTARTS) throw error;
          // The backend does not have the earlier lines: the file was rewritten, or another import is running.
          from = expected;
        }
      }
    },
  };
}

/** Asks for the number of lines that the backend has. An older backend does not tell, and then all lines are sent. */
async function knownOf(backend: Backend, transcript: TranscriptToImport): Promise<number> {
  try {
    await send(backend, transcript, BEYOND, []);
    return 0;
  } catch (error) {
    const expected = expectedLine(error);
    if (expected === undefined) throw error;
    // The last known line is sent again, by which the backend detects a rewritten file.
    return Math.max(0, expected - 1);
  }
}

function expectedLine(error: unknown): number | undefined {
  if (!(error instanceof ChestError) || error.code !== "VERSION_CONFLICT") return undefined;
  const expected = error.details?.expected;
  return typeof expected === "number" ? expected : undefined;
}

async function sendFrom(
  from: number,
  backend: Backend,
  transcript: TranscriptToImport,
  options: TakeOptions,
  onBytes: (bytes: number) => void,
): Promise<ImportedCounts> {
  const most = options.isDry ? MOST_AT_ONCE_DRY : MOST_AT_ONCE;
  let taken: ImportedCounts = { lines: 0, skippedLines: 0, memories: {}, edits: 0, found: {}, dropped: {} };
  let batch: string[] = [];
  let [index, chars, hasTurn] = [0, 0, from > 0];
  const flush = async () => {
    if (batch.length === 0) return;
    taken = sum(taken, await send(backend, transcript, index - batch.length, batch, options));
    batch = [];
    chars = 0;
  };
  for await (const line of linesOf(transcript.path, onBytes)) {
    index += 1;
    if (index <= from) continue;
    const packed = slimLine(line);
    batch.push(packed);
    chars += packed.length;
    // The first line must identify the session.
    hasTurn ||= TURN.test(packed);
    if (hasTurn && (batch.length >= most.lines || chars >= most.chars)) await flush();
  }
  await flush();
  return taken;
}

const TURN = /^\{"type":"(?:user|assistant)"/;

async function send(
  backend: Backend,
  { session, project }: TranscriptToImport,
  from: number,
  lines: readonly string[],
  { isDry, keepOld }: TakeOptions = { isDry: false, keepOld: undefined },
) {
  return backend.call(endpoints.syncSession, {
    query: {
      from_line: String(from),
      ...(isDry ? { dry_run: "1" } : {}),
      ...(keepOld === undefined ? {} : { keep_old: keepOld }),
    },
    text: lines.map((line) => `${line}\n`).join(""),
    headers: { "x-session-id": session, ...inProject(project) },
    isRepeatable: true,
    ...PATIENCE,
  });
}

const inProject = (project: string | undefined): Record<string, string> =>
  project === undefined ? {} : { [HEADERS.project]: encodeURIComponent(project) };

type SyncAnswer = Awaited<ReturnType<typeof send>>;

function sum(taken: ImportedCounts, answer: SyncAnswer): ImportedCounts {
  return {
    lines: taken.lines + (answer.lines ?? 0),
    skippedLines: taken.skippedLines + (answer.skipped_lines ?? 0),
    memories: added(taken.memories, answer.memories ?? { inserted: answer.memoriesInserted ?? 0 }),
    edits: taken.edits + (answer.editsInserted ?? 0),
    found: added(taken.found, answer.found ?? {}),
    dropped: added(taken.dropped, answer.dropped ?? {}),
  };
}
