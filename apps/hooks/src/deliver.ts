import { ChestError, type ErrorCode } from "@chest/contracts";
import type { Happening } from "./happening.ts";
import { openJournal } from "./journal.ts";
import { type Owed, owe, owedTo, settled } from "./owed.ts";
import { syncSession } from "./sync.ts";

// Asking again changes nothing about these.
const FOR_GOOD: ReadonlySet<ErrorCode> = new Set(["NOT_FOUND", "VALIDATION_ERROR", "INVALID_INPUT", "REJECTED"]);

/** Tells the place what is new of this session; what it cannot be told now waits. @returns what became of it. */
export async function deliver(happening: Happening, keep: Owed["keep"] = []): Promise<string> {
  const { session, transcript, project, memory, dataDir } = happening;
  if (transcript === undefined && keep.length === 0) return "no_transcript";
  const owed = { session, transcript, project, place: memory.name, keep, since: new Date().toISOString() };
  // Before anything else: an event may be ended at any moment.
  if (memory.hasOutbox) owe(dataDir, owed);
  const waiting = owedTo(dataDir, memory.name).find((each) => each.session === session);
  return settle(happening, waiting ?? owed);
}

/** Tells the place what other sessions left to be told, as long as there is time. @returns how many were told. */
export async function replay(happening: Happening, untilMs: number): Promise<number> {
  const { session, memory, dataDir, budget } = happening;
  let told = 0;
  for (const owed of owedTo(dataDir, memory.name)) {
    if (owed.session === session) continue;
    if (budget.leftMs() < untilMs) break;
    if ((await settle(happening, owed)) === "sent") told += 1;
  }
  return told;
}

async function settle({ memory, dataDir, budget }: Happening, owed: Owed): Promise<string> {
  const { session, transcript, project, keep } = owed;
  try {
    const place = await memory.open("write", project);
    if (!place) return "no_store";
    const journal = openJournal(dataDir, session);
    if (transcript !== undefined && !(await syncSession(session, transcript, { place, journal, budget })))
      return "partly";
    for (const occasion of keep) await place.keep(session, occasion);
  } catch (error) {
    if (!(error instanceof ChestError) || !FOR_GOOD.has(error.code)) throw error;
    settled(dataDir, session);
    return `refused ${error.code}`;
  }
  settled(dataDir, session);
  return "sent";
}
