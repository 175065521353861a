import { readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** A session that hooks have not been able to tell of in full: they are to do so at a later event. */
export interface UndeliveredSession {
  readonly session: string;
  /** The backend's address, or the store's file. */
  readonly place: string;
  /** ISO 8601. */
  readonly since: string;
  readonly transcript: string | undefined;
  readonly project: string | undefined;
  readonly keep: readonly ("precompact" | "session-end")[];
  /** End of the session, sent with its lines. */
  readonly left?: object | undefined;
  /** Mark of the process that added to it last. */
  readonly mark: string | undefined;
}

/** Folder of undelivered sessions, one file each. */
export const undeliveredFolder = (dataDir: string): string => join(dataDir, "outbox", "sessions");

export const undeliveredFile = (dataDir: string, session: string): string =>
  join(undeliveredFolder(dataDir), `${session.replace(/[^\w.-]/g, "_")}.json`);

/** Lists the undelivered sessions of this data folder, oldest first, for any backend. */
export function undeliveredSessions(dataDir: string): UndeliveredSession[] {
  return undeliveredFiles(dataDir)
    .flatMap((file) => readUndelivered(file) ?? [])
    .sort((a, b) => a.since.localeCompare(b.since));
}

/** Paths of the files of all undelivered sessions; empty if there never was one. */
function undeliveredFiles(dataDir: string): string[] {
  const folder = undeliveredFolder(dataDir);
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(folder, name));
  } catch {
    return []; // Nothing has ever waited.
  }
}

/** Removes what was delivered, unless another process has added to it meanwhile. */
export function removeUndelivered(
  dataDir: string,
  { session, mark }: Pick<UndeliveredSession, "session" | "mark">,
): void {
  const file = undeliveredFile(dataDir, session);
  try {
    if (readUndelivered(file)?.mark === mark) unlinkSync(file);
  } catch {
    // There was no such file, or another process was quicker.
  }
}

/** Reads one undelivered session; undefined when it was delivered meanwhile or is torn. */
export function readUndelivered(file: string): UndeliveredSession | undefined {
  try {
    const {
      session,
      place,
      since,
      transcript,
      project,
      keep = [],
      mark,
      left,
    } = JSON.parse(readFileSync(file, "utf8"));
    if (![session, place, since].every(isText) || !Array.isArray(keep)) return undefined;
    return {
      session,
      place,
      since,
      transcript: textOf(transcript),
      project: textOf(project),
      mark: textOf(mark),
      ...(typeof left === "object" && left !== null ? { left } : {}),
      keep: keep.filter((each) => each === "precompact" || each === "session-end"),
    };
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const textOf = (value: unknown): string | undefined => (isText(value) && value !== "" ? value : undefined);
