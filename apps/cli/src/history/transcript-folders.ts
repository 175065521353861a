import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "@chest/runtime";
import { HOSTS } from "@chest/runtime/hosts";
import { dataDirOf } from "@chest/runtime/profile";
import { claudeFolder } from "../agents/claude/folder.ts";
import { counted } from "../terminal/parse-numbers.ts";
import { findTranscripts } from "./find.ts";

/** Sessions that the hooks record for agents whose own records cannot be read. */
export const writtenByHooks = (env: Env): string => join(dataDirOf(env), "hooks", "transcripts");

/** Finds the folders in which this machine's agents record sessions. */
export const transcriptFolders = (env: Env): string[] => [
  join(claudeFolder(env), "projects"),
  ...HOSTS.flatMap((host) => host.transcripts?.(env) ?? []),
  writtenByHooks(env),
];

const WEEK_MS = 7 * 86_400_000;
/** Bytes that an import reads per second on a slow machine. */
const BYTES_PER_SECOND = 5_000_000;
const SOON_S = 20;
const MINUTE_S = 90;

/** Describes the sessions recorded by this machine's agents, and how long an import takes; undefined without any. */
export async function pastSessions(env: Env, now = Date.now()): Promise<string | undefined> {
  const files = await findTranscripts(transcriptFolders(env).filter((folder) => existsSync(folder)));
  const [oldest] = files;
  if (!oldest) return undefined;
  const weeks = Math.max(1, Math.round((now - oldest.changedAt) / WEEK_MS));
  const seconds = files.reduce((sum, { bytes }) => sum + bytes, 0) / BYTES_PER_SECOND;
  return `${counted(files.length, "session")} of ${counted(weeks, "week")}; reads them in ${spanOf(seconds)}`;
}

function spanOf(seconds: number): string {
  if (seconds < SOON_S) return "some seconds";
  return seconds < MINUTE_S ? "about a minute" : `about ${Math.round(seconds / 60)} minutes`;
}
