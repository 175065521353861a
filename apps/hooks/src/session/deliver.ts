import { statSync } from "node:fs";
import { ChestError, type ErrorCode } from "@chest/contracts";
import type { EventContext } from "../hook-event.ts";
import { readHead } from "../repository/git-state.ts";
import { openJournal } from "./session-journal.ts";
import { syncSession } from "./sync-transcript.ts";
import { type Owed, owe, owedTo, settled } from "./undelivered.ts";

// Asking again changes nothing about these. A backend without the route may have it tomorrow.
const FOR_GOOD: ReadonlySet<ErrorCode> = new Set(["VALIDATION_ERROR", "INVALID_INPUT", "REJECTED"]);
// Failures of the place itself, which hit every session that waits for it.
const OF_THE_PLACE: ReadonlySet<ErrorCode> = new Set([
  "UNAVAILABLE",
  "BACKEND_UNREACHABLE",
  "RATE_LIMITED",
  "UNAUTHORIZED",
  "CLIENT_TOO_OLD",
  "STORAGE_FULL",
]);

/** Tells the place what is new of this session; what it cannot be told now waits. @returns what became of it. */
export async function deliver(eventContext: EventContext, keep: Owed["keep"] = []): Promise<string> {
  const { session, memory, dataDir, mayNote } = eventContext;
  if (!mayNote) return "not_noted";
  if (eventContext.transcript === undefined && keep.length === 0) return "no_transcript";
  // Before anything else: an event may be ended at any moment.
  const owed = noteOwed(eventContext, keep);
  const waiting = owedTo(dataDir, memory.name).find((each) => each.session === session);
  return settle(eventContext, waiting ?? owed);
}

/** Notes what has to be delivered to a place, for the next event. */
export function noteOwed(
  { session, transcript, project: here, journal, memory, dataDir, folder, input }: EventContext,
  keep: Owed["keep"] = [],
): Owed {
  const now = new Date().toISOString();
  const { project } = journal.read();
  const owed = {
    session,
    transcript,
    place: memory.name,
    keep,
    since: now,
    mark: `${now} ${process.pid}`,
    // Work is reported to the project where it was done, though the agent has gone elsewhere since.
    project: project ?? here,
    ...(keep.length === 0 ? {} : { left: { git: readHead(folder), reason: input.reason } }),
  };
  if (memory.hasOutbox) owe(dataDir, owed);
  return owed;
}

// At the end of a turn the agent waits, but nothing is shown.
const LEFT_MS = 300;

/** Tells the place of this session, then of others while there is time. @returns what became of it. */
export async function deliverAll(eventContext: EventContext, keep: Owed["keep"] = []): Promise<string> {
  const own = await deliver(eventContext, keep).catch((error: unknown) => {
    if (!isOfSession(error)) throw error;
    return { error };
  });
  const others = await replay(eventContext, LEFT_MS);
  if (typeof own !== "string") throw own.error;
  return others === 0 ? own : `${own} others=${others}`;
}

/**
 * Tells the place what other sessions left to be told, as long as there is time and it listens. One that cannot be told
 * waits on, and keeps none of the others. @returns how many were told.
 */
export async function replay(eventContext: EventContext, untilMs: number): Promise<number> {
  const { session, memory, dataDir, budget } = eventContext;
  let told = 0;
  for (const owed of owedTo(dataDir, memory.name)) {
    if (owed.session === session) continue;
    if (budget.leftMs() < untilMs) break;
    try {
      if ((await settle(eventContext, owed)) === "sent") told += 1;
    } catch (error) {
      if (!isOfSession(error)) break;
    }
  }
  return told;
}

/** Whether this session alone fails: the place refused it, or its transcript cannot be read. */
const isOfSession = (error: unknown): boolean =>
  error instanceof ChestError ? !OF_THE_PLACE.has(error.code) : error instanceof Error && "syscall" in error;

async function settle({ memory, dataDir, budget }: EventContext, owed: Owed): Promise<string> {
  const { session, transcript, project, keep, left = {} } = owed;
  try {
    const place = await memory.open("write", project);
    if (!place) return "no_store";
    const journal = openJournal(dataDir, session);
    // The agent removes its transcripts in time: what is gone is not waited for.
    const isThere = transcript !== undefined && statSync(transcript, { throwIfNoEntry: false }) !== undefined;
    if (isThere && !(await syncSession(session, transcript, { place, journal, budget }))) return "partly";
    for (const occasion of keep) await place.keep(session, occasion, left);
  } catch (error) {
    if (!(error instanceof ChestError) || !FOR_GOOD.has(error.code)) throw error;
    settled(dataDir, owed);
    return `refused ${error.code}`;
  }
  settled(dataDir, owed);
  return "sent";
}
