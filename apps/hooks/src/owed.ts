import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isTranscriptSession } from "@chest/core";
import { owedFiles, owedFolder } from "@chest/runtime/owed-sessions";
import { isObject, textOf } from "./input.ts";

/** What a place has still to be told of a session. The transcript itself stays where the agent keeps it. */
export interface Owed {
  readonly session: string;
  readonly transcript: string | undefined;
  readonly project: string | undefined;
  /** Name of the place that it is for. */
  readonly place: string;
  readonly keep: readonly ("precompact" | "session-end")[];
  readonly since: string;
  /** Of whoever added to it last. */
  readonly mark: string | undefined;
}

const MAX_AGE_MS = 30 * 86_400_000;

const fileOf = (dataDir: string, session: string): string =>
  join(owedFolder(dataDir), `${session.replace(/[^\w.-]/g, "_")}.json`);

/** Keeps what could not be told, for whichever event comes next; with what waits already it is one. */
export function owe(dataDir: string, added: Owed): void {
  const file = fileOf(dataDir, added.session);
  const before = read(file);
  const owed = before?.place === added.place ? merged(before, added) : added;
  mkdirSync(owedFolder(dataDir), { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, JSON.stringify(owed), { mode: 0o600 });
  renameSync(part, file);
}

const merged = (before: Owed, added: Owed): Owed => ({
  ...added,
  transcript: added.transcript ?? before.transcript,
  since: before.since,
  keep: [...new Set([...before.keep, ...added.keep])],
});

/** Takes away what was told, unless another event has added to it meanwhile. */
export function settled(dataDir: string, { session, mark }: Owed): void {
  const file = fileOf(dataDir, session);
  try {
    if (read(file)?.mark === mark) unlinkSync(file);
  } catch {
    // Nothing was owed, or another event was quicker.
  }
}

/** What waits for a place, oldest first. What has waited for a month goes: by then the transcript has, too. */
export function owedTo(dataDir: string, place: string): Owed[] {
  return owedFiles(dataDir)
    .flatMap((file) => read(file) ?? [])
    .filter((owed) => {
      const isOld = Date.now() - Date.parse(owed.since) > MAX_AGE_MS;
      if (isOld) settled(dataDir, owed);
      return !isOld && owed.place === place;
    })
    .sort((a, b) => a.since.localeCompare(b.since));
}

function read(file: string): Owed | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(value) ? owedOf(value) : undefined;
  } catch {
    return undefined;
  }
}

function owedOf(value: Readonly<Record<string, unknown>>): Owed | undefined {
  const { session, place, since, keep } = value;
  if (typeof session !== "string" || !isTranscriptSession(session)) return undefined;
  if (typeof place !== "string" || typeof since !== "string" || !Array.isArray(keep)) return undefined;
  return {
    ...{ session, place, since, transcript: textOf(value.transcript), project: textOf(value.project) },
    mark: textOf(value.mark),
    keep: keep.filter((each) => each === "precompact" || each === "session-end"),
  };
}
