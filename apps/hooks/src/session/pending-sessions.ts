import { renameSync, writeFileSync } from "node:fs";
import { isTranscriptSession } from "@chest/core/transcript";
import { makeFolder } from "@chest/runtime/make-folder";
import {
  readUndelivered,
  removeUndelivered,
  type UndeliveredSession,
  undeliveredFile,
  undeliveredFolder,
  undeliveredSessions,
} from "@chest/runtime/undelivered-sessions";

/** Part of a session that a backend has not received. The transcript stays in the agent's folder. */
export type PendingSession = UndeliveredSession;

const MAX_AGE_MS = 30 * 86_400_000;

/** Queues an undelivered part, merged with what is queued already. */
export function addPending(dataDir: string, added: PendingSession): void {
  const file = undeliveredFile(dataDir, added.session);
  const before = readUndelivered(file);
  const pending = before?.place === added.place ? merged(before, added) : added;
  makeFolder(undeliveredFolder(dataDir));
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, JSON.stringify(pending), { mode: 0o600 });
  renameSync(part, file);
}

const merged = (before: PendingSession, added: PendingSession): PendingSession => ({
  ...added,
  transcript: added.transcript ?? before.transcript,
  since: before.since,
  keep: [...new Set([...before.keep, ...added.keep])],
});

/**
 * Sessions queued for a backend, oldest first. Those older than a month are dropped, because their transcript is gone.
 */
export function pendingFor(dataDir: string, place: string): PendingSession[] {
  return undeliveredSessions(dataDir).filter((pending) => {
    const isOld = Date.now() - Date.parse(pending.since) > MAX_AGE_MS;
    if (isOld) removeUndelivered(dataDir, pending);
    return !isOld && pending.place === place && isTranscriptSession(pending.session);
  });
}

export { removeUndelivered };
