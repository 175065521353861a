import { existsSync } from "node:fs";
import type { Env } from "@chest/runtime";
import { counted } from "../terminal/parse-numbers.ts";
import { findTranscripts, oldestFirst, type TranscriptFile } from "./find.ts";
import { openCodeRecords, openCodeSessions } from "./opencode-sessions.ts";
import { transcriptFolders, writtenByHooks } from "./transcript-folders.ts";

const WEEK_MS = 7 * 86_400_000;
/** Bytes that an import takes in a second, with room for a slow machine. */
const BYTES_PER_SECOND = 5_000_000;
const SOON_S = 20;
const MINUTE_S = 90;

/**
 * All sessions that agents of this machine have recorded, the oldest first; undefined where no agent records any.
 * @param folder for sessions that are no files, while they are read
 */
export async function allSessions(env: Env, folder: string): Promise<TranscriptFile[] | undefined> {
  const folders = transcriptFolders(env).filter((place) => existsSync(place));
  const stored = await openCodeSessions(env, writtenByHooks(env, "opencode"), folder);
  if (folders.length + stored.length === 0) return undefined;
  return oldestFirst([...(await findTranscripts(folders)), ...stored]);
}

/** Describes the sessions that agents of this machine have recorded, and how long an import takes; undefined for none. */
export async function pastSessions(env: Env, now = Date.now()): Promise<string | undefined> {
  const files = await findTranscripts(transcriptFolders(env).filter((folder) => existsSync(folder)));
  const sessions = [...files, ...(await openCodeRecords(env, writtenByHooks(env, "opencode")))];
  if (sessions.length === 0) return undefined;
  const oldest = sessions.reduce((least, { changedAt }) => Math.min(least, changedAt), now);
  const weeks = Math.max(1, Math.round((now - oldest) / WEEK_MS));
  const seconds = sessions.reduce((sum, { bytes }) => sum + bytes, 0) / BYTES_PER_SECOND;
  return `${counted(sessions.length, "session")} of ${counted(weeks, "week")}; reads them in ${spanOf(seconds)}`;
}

function spanOf(seconds: number): string {
  if (seconds < SOON_S) return "some seconds";
  return seconds < MINUTE_S ? "about a minute" : `about ${Math.round(seconds / 60)} minutes`;
}
