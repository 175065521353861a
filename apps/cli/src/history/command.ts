import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { assertSpoken, endpoints } from "@chest/contracts";
import { StartError } from "@chest/runtime";
import { owedSessions } from "@chest/runtime/owed-sessions";
import { claudeFolder } from "../agents/claude/folder.ts";
import { withBackend } from "../compose.ts";
import { readConfig } from "../config.ts";
import { counted } from "../numbers.ts";
import type { ExitCode, Shell } from "../shell.ts";
import { embedAfter } from "./embed.ts";
import { findTranscripts, type TranscriptFile, transcriptAt } from "./find.ts";
import { type HistoryReport, importHistory } from "./import-history.ts";
import { memoryFoldersBeside } from "./memory-folders.ts";
import { openHistoryProgress } from "./progress.ts";
import { documentOf, linesOf } from "./report.ts";
import { settleOwed } from "./settle-owed.ts";
import { machineOf, type Taker } from "./take.ts";
import { takerDry, takingHere } from "./take-here.ts";
import { takerAt } from "./take-there.ts";

/** Whose history is taken. */
export type HistorySource = { readonly folders: readonly string[] | "all" } | { readonly sessionFile: string };

export interface HistoryFlags {
  readonly project: string | undefined;
  readonly isDry: boolean;
  readonly isEmbedding: boolean;
  readonly isTold: boolean;
  /** Does it stand in for the hooks: what they owe is struck out, and that there is nothing to take is no failure. */
  readonly isForHooks?: boolean;
  readonly "remote-url"?: string | undefined;
  readonly "token-file"?: string | undefined;
}

/** Takes what agents wrote down of their sessions: into the store of this machine, or to a backend. */
export async function runHistoryImport(
  source: HistorySource,
  flags: HistoryFlags,
  { env, output }: Shell,
): Promise<ExitCode> {
  const config = readConfig(env, flags);
  const { project, isDry, isForHooks = false } = flags;
  const files = await filesOf(source, env, isForHooks);
  // One session by itself is not the project's notes.
  const folders = "sessionFile" in source ? [] : await memoryFoldersBeside(files);
  const stderr = flags.isTold ? process.stderr : undefined;
  const progress = openHistoryProgress(stderr);
  const work = async (taker: Taker) => {
    try {
      const owed = isForHooks ? owedSessions(config.dataDir) : [];
      const report = await importHistory({ files, folders }, taker, { project, progress });
      const settled = await settleOwed(config.dataDir, files, report, taker, owed);
      return { into: taker.into, report, settled };
    } finally {
      progress.end();
    }
  };
  const { remote } = config;
  // Nothing makes no store.
  const isIdle = files.length === 0 && !existsSync(config.dbPath);
  const { into, report, settled } = !remote
    ? await takingHere(config, { isDry: isDry || isIdle, env }, work)
    : isDry
      ? await work(takerDry(remote.url))
      : await withBackend(remote, async (backend) => {
          // One that is away is told at once; one that goes away in the middle is waited for.
          assertSpoken(await backend.call(endpoints.capabilities));
          return work(takerAt(backend, machineOf(config.dataDir)));
        });
  const exitCode = report.errors.length > 0 ? 1 : 0;
  if ("sessionFile" in source && exitCode === 0) output.say(lineOf(source.sessionFile, report));
  else for (const line of linesOf(report, { into, isDry })) output.show(line);
  if (settled > 0) output.say(`sessions that the hooks had not reported yet: ${settled}, reported now`);
  if (flags.isEmbedding && !isDry && (report.total.memories.inserted ?? 0) > 0) {
    output.say(await embedAfter(env, config, stderr));
  }
  const owed = isForHooks ? { settled } : {};
  output.document({ ...documentOf(report, { into, isDry }), ...owed, exit_code: exitCode });
  return exitCode;
}

async function filesOf(source: HistorySource, env: Shell["env"], mayBeNone: boolean): Promise<TranscriptFile[]> {
  if ("sessionFile" in source) return [await transcriptAt(resolve(source.sessionFile))];
  if (source.folders !== "all") return findTranscripts(source.folders.map((folder) => resolve(folder)));
  const folder = join(claudeFolder(env), "projects");
  if (existsSync(folder)) return findTranscripts([folder]);
  if (mayBeNone) return [];
  throw new StartError(
    `there are no transcripts at \`${folder}\``,
    "set CLAUDE_CONFIG_DIR to where Claude Code keeps its own, or name the folder",
  );
}

function lineOf(file: string, { total, sessions }: HistoryReport): string {
  if (sessions.parsed === 0) return `[skipped] ${file}: no line names its session`;
  const { inserted = 0, updated = 0 } = total.memories;
  return `[ok] ${file}: ${counted(total.lines, "new line")}, ${counted(inserted, "memory", "memories")} came in, ${updated} updated, ${counted(total.edits, "file edit")}`;
}
