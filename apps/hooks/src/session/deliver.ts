import { statSync } from "node:fs";
import { ChestError, type ErrorCode } from "@chest/contracts";
import type { EventContext } from "../hook-event.ts";
import { readHead } from "../repository/git-state.ts";
import { addPending, type PendingSession, pendingFor, removeUndelivered } from "./pending-sessions.ts";
import { openJournal } from "./session-journal.ts";
import { syncSession } from "./sync-transcript.ts";

// Errors that a retry cannot fix. A missing route may exist after an update of the backend.
const FOR_GOOD: ReadonlySet<ErrorCode> = new Set(["VALIDATION_ERROR", "INVALID_INPUT", "REJECTED"]);
// Errors of the backend itself, which affect every session.
const OF_THE_PLACE: ReadonlySet<ErrorCode> = new Set([
  "UNAVAILABLE",
  "BACKEND_UNREACHABLE",
  "RATE_LIMITED",
  "UNAUTHORIZED",
  "CLIENT_TOO_OLD",
  "STORAGE_FULL",
]);

/**
 * Delivers what is new of this session; the rest is queued.
 * @returns the outcome
 */
export async function deliver(eventContext: EventContext, keep: PendingSession["keep"] = []): Promise<string> {
  const { session, memory, dataDir, mayNote } = eventContext;
  if (!mayNote) return "not_noted";
  if (eventContext.transcript === undefined && keep.length === 0) return "no_transcript";
  // Queued first, because the event may be killed at any moment.
  const pending = notePending(eventContext, keep);
  const waiting = pendingFor(dataDir, memory.name).find((each) => each.session === session);
  return deliverOne(eventContext, waiting ?? pending);
}

/** Queues what must be delivered, for the next event. */
export function notePending(
  { session, transcript, project: here, journal, memory, dataDir, folder, input }: EventContext,
  keep: PendingSession["keep"] = [],
): PendingSession {
  const now = new Date().toISOString();
  const { project } = journal.read();
  const pending = {
    session,
    transcript,
    place: memory.name,
    keep,
    since: now,
    mark: `${now} ${process.pid}`,
    // Work belongs to the project where it was done, even if the agent has changed folders.
    project: project ?? here,
    ...(keep.length === 0 ? {} : { left: { git: readHead(folder), reason: input.reason } }),
  };
  if (memory.hasOutbox) addPending(dataDir, pending);
  return pending;
}

// Time for other sessions at the end of a turn, when the agent waits.
const LEFT_MS = 300;

/**
 * Delivers this session, then others if time is left.
 * @returns the outcome
 */
export async function deliverAll(eventContext: EventContext, keep: PendingSession["keep"] = []): Promise<string> {
  const own = await deliver(eventContext, keep).catch((error: unknown) => {
    if (!isOfSession(error)) throw error;
    return { error };
  });
  const others = await replay(eventContext, LEFT_MS);
  if (typeof own !== "string") throw own.error;
  return others === 0 ? own : `${own} others=${others}`;
}

/**
 * Delivers other sessions' queued parts while there is time and the backend accepts them. A failing one stays queued
 * and does not stop the others.
 * @returns how many were delivered
 */
export async function replay(eventContext: EventContext, untilMs: number): Promise<number> {
  const { session, memory, dataDir, budget } = eventContext;
  let told = 0;
  for (const pending of pendingFor(dataDir, memory.name)) {
    if (pending.session === session) continue;
    if (budget.leftMs() < untilMs) break;
    try {
      if ((await deliverOne(eventContext, pending)) === "sent") told += 1;
    } catch (error) {
      if (!isOfSession(error)) break;
    }
  }
  return told;
}

/** Whether only this session fails: it was refused, or its transcript is unreadable. */
const isOfSession = (error: unknown): boolean =>
  error instanceof ChestError ? !OF_THE_PLACE.has(error.code) : error instanceof Error && "syscall" in error;

async function deliverOne({ memory, dataDir, budget }: EventContext, pending: PendingSession): Promise<string> {
  const { session, transcript, project, keep, left = {} } = pending;
  try {
    const place = await memory.open("write", project);
    if (!place) return "no_store";
    const journal = openJournal(dataDir, session);
    // Agents delete old transcripts: a missing one is dropped.
    const isThere = transcript !== undefined && statSync(transcript, { throwIfNoEntry: false }) !== undefined;
    if (isThere && !(await syncSession(session, transcript, { place, journal, budget }))) return "partly";
    for (const occasion of keep) await place.keep(session, occasion, left);
  } catch (error) {
    if (!(error instanceof ChestError) || !FOR_GOOD.has(error.code)) throw error;
    removeUndelivered(dataDir, pending);
    return `refused ${error.code}`;
  }
  removeUndelivered(dataDir, pending);
  return "sent";
}
