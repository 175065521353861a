import { existsSync, realpathSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { assertSpoken, type Capabilities, endpoints } from "@chest/contracts";
import type { KeepOld } from "@chest/core/transcript";
import { StartError } from "@chest/runtime";
import { removeUndelivered, type UndeliveredSession, undeliveredSessions } from "@chest/runtime/undelivered-sessions";
import { withBackend } from "../connect/backend.ts";
import { readConfig } from "../connect/config.ts";
import type { ExitCode, Shell } from "../terminal/command-context.ts";
import { counted } from "../terminal/parse-numbers.ts";
import { embedAfter } from "./embed.ts";
import { findTranscripts, type TranscriptFile, transcriptAt } from "./find.ts";
import { type HistoryReport, importHistory } from "./import-history.ts";
import { memoryFoldersBeside } from "./memory-folders.ts";
import { allSessions } from "./past-sessions.ts";
import { openHistoryProgress } from "./progress.ts";
import { documentOf, linesOf } from "./report.ts";
import { machineOf, type TranscriptSink } from "./take.ts";
import { withLocalSink } from "./take-here.ts";
import { remoteSink } from "./take-there.ts";
import { transcriptFolders } from "./transcript-folders.ts";

/** Sources of history to import. */
export type HistorySource = { readonly folders: readonly string[] | "all" } | { readonly sessionFile: string };

export interface HistoryFlags {
  readonly project: string | undefined;
  readonly isDry: boolean;
  readonly keepOld?: KeepOld | undefined;
  readonly isEmbedding: boolean;
  readonly isTold: boolean;
  /**
   * True for an import that replaces missed hooks: it clears the sessions that hooks have not delivered, and an empty
   * result is no failure.
   */
  readonly isForHooks?: boolean;
  readonly "remote-url"?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly database?: string | undefined;
}

/** Imports the sessions that agents recorded, into this machine's store or a backend. */
export async function runHistoryImport(source: HistorySource, flags: HistoryFlags, shell: Shell): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), "chest-sessions-"));
  try {
    return await importFrom(source, flags, shell, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param folder temporary folder for sessions that their agent does not keep as files */
async function importFrom(
  source: HistorySource,
  flags: HistoryFlags,
  { env, output }: Shell,
  folder: string,
): Promise<ExitCode> {
  const config = readConfig(env, flags);
  const { project, isDry, keepOld, isForHooks = false } = flags;
  const files = await filesOf(source, env, isForHooks, folder);
  // Notes beside the transcripts belong to the project, so the import of a single session leaves them out.
  const folders = "sessionFile" in source ? [] : await memoryFoldersBeside(files);
  const stderr = flags.isTold ? process.stderr : undefined;
  const progress = openHistoryProgress(stderr);
  const work = async (sink: TranscriptSink) => {
    try {
      const undelivered = isForHooks ? undeliveredSessions(config.dataDir) : [];
      const report = await importHistory({ files, folders }, sink, { project, progress, env });
      const delivered = await markDelivered(config.dataDir, files, report, sink, undelivered);
      return { into: sink.into, report, delivered };
    } finally {
      progress.end();
    }
  };
  const { remote } = config;
  // Without anything to import, no store is created.
  const isIdle = files.length === 0 && !config.database && !existsSync(config.dbPath);
  const { into, report, delivered } = !remote
    ? await withLocalSink(config, { isDry: isDry || isIdle, keepOld, env }, work)
    : await withBackend(remote, async (backend) => {
        // An unreachable backend is reported at once at the start; if it becomes unreachable later, the import waits
        // for it.
        const capabilities = await backend.call(endpoints.capabilities);
        assertSpoken(capabilities);
        if (isDry || keepOld) assertHasOptions(capabilities, backend.url);
        return work(remoteSink(backend, machineOf(config.dataDir), { isDry, keepOld }));
      });
  const exitCode = report.errors.length > 0 ? 1 : 0;
  if ("sessionFile" in source && exitCode === 0) output.say(lineOf(source.sessionFile, report));
  else for (const line of linesOf(report, { into, isDry, keepOld })) output.show(line);
  if ((report.total.memories.expired ?? 0) > 0) output.hint(KEEP_OLD_HINT);
  if (delivered > 0) output.say(`sessions that the hooks had not reported yet: ${delivered}, reported now`);
  if (flags.isEmbedding && !isDry && (report.total.memories.inserted ?? 0) > 0) {
    output.say(await embedAfter(env, config, stderr));
  }
  const ofHooks = isForHooks ? { settled: delivered } : {};
  output.document({ ...documentOf(report, { into, isDry }), ...ofHooks, exit_code: exitCode });
  return exitCode;
}

const KEEP_OLD_HINT =
  "memories older than their layer's lifetime come in with `--keep-old fresh`, which restarts it, or `--keep-old archived`";

/** An older backend would ignore the options and import sessions that it should only preview. */
function assertHasOptions({ features, server_version }: Capabilities, url: string): void {
  if (features.includes("session-sync-options")) return;
  throw new StartError(
    `${url} is release ${server_version}, which has neither \`--dry-run\` nor \`--keep-old\``,
    "upgrade the backend, or import without them: a repeat changes nothing",
  );
}

async function filesOf(
  source: HistorySource,
  env: Shell["env"],
  mayBeNone: boolean,
  folder: string,
): Promise<TranscriptFile[]> {
  if ("sessionFile" in source) return [await transcriptAt(resolve(source.sessionFile))];
  if (source.folders !== "all") return findTranscripts(source.folders.map((folder) => resolve(folder)));
  const files = (await allSessions(env, folder)) ?? (mayBeNone ? [] : undefined);
  if (files) return files;
  throw new StartError(
    `there are no transcripts at \`${transcriptFolders(env)[0]}\``,
    "set CLAUDE_CONFIG_DIR to where Claude Code keeps its own, or name the folder",
  );
}

function lineOf(file: string, { total, sessions }: HistoryReport): string {
  if (sessions.excluded > 0) return `[skipped] ${file}: its folder or project is kept out of Chest`;
  if (sessions.parsed === 0) return `[skipped] ${file}: no line names its session`;
  const { inserted = 0, updated = 0 } = total.memories;
  return `[ok] ${file}: ${counted(total.lines, "new line")}, ${counted(inserted, "memory", "memories")} came in, ${updated} updated, ${counted(total.edits, "file edit")}`;
}

/**
 * Marks sessions that hooks could not deliver as delivered, if they are imported by now or their transcript is gone.
 * @param before undelivered sessions from before the import; later ones are left alone.
 * @returns the number of sessions marked.
 */
async function markDelivered(
  dataDir: string,
  files: readonly TranscriptFile[],
  { errors }: Pick<HistoryReport, "errors">,
  sink: Pick<TranscriptSink, "into" | "keep">,
  before: readonly UndeliveredSession[],
): Promise<number> {
  const refused = new Set(errors.map(({ file }) => file));
  const taken = new Set(files.filter(({ path }) => !refused.has(path)).map(({ path }) => realpathSync(path)));
  let count = 0;
  for (const session of before) {
    if (session.place !== sink.into || !isDelivered(session, taken)) continue;
    for (const occasion of session.keep) await sink.keep(session.session, session.project, occasion);
    removeUndelivered(dataDir, session);
    count += 1;
  }
  return count;
}

function isDelivered({ transcript }: UndeliveredSession, taken: ReadonlySet<string>): boolean {
  if (transcript === undefined) return true;
  try {
    return taken.has(realpathSync(transcript));
  } catch {
    return true; // The transcript is gone, so the session can never be delivered.
  }
}
