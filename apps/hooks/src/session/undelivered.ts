import { renameSync, writeFileSync } from "node:fs";
import { isTranscriptSession } from "@chest/core/transcript";
import { makeFolder } from "@chest/runtime/make-folder";
import {
  readUndelivered,
  settled,
  type UndeliveredSession,
  undeliveredFile,
  undeliveredFolder,
  undeliveredSessions,
} from "@chest/runtime/undelivered-sessions";

/** Part of a session that a backend has not received. The transcript stays in the agent's folder. */
export type Owed = UndeliveredSession;

const MAX_AGE_MS = 30 * 86_400_000;

/** Queues an undelivered part, merged with what is queued already. */
export function owe(dataDir: string, added: Owed): void {
  const file = undeliveredFile(dataDir, added.session);
  const before = readUndelivered(file);
  const owed = before?.place === added.place ? merged(before, added) : added;
  makeFolder(undeliveredFolder(dataDir));
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

/**
 * Sessions queued for a backend, oldest first. Those older than a month are dropped, because their transcript is gone.
 */
export function owedTo(dataDir: string, place: string): Owed[] {
  return undeliveredSessions(dataDir).filter((owed) => {
    const isOld = Date.now() - Date.parse(owed.since) > MAX_AGE_MS;
    if (isOld) settled(dataDir, owed);
    return !isOld && owed.place === place && isTranscriptSession(owed.session);
  });
}

export { settled };
