import { join } from "node:path";
import type { Log } from "../log.ts";
import { type Courier, deliver, type Outcome } from "./deliver.ts";
import { ageOf, MAX_AGE_MS } from "./entry.ts";
import { tryLock } from "./lock.ts";

export interface DrainOptions extends Courier {
  /** Entries for another backend wait for their own. */
  readonly url: string;
  readonly log: Log;
}

/** Why a round ended; `done` leaves nothing that could be sent now. */
export type Ended = "done" | "busy" | "paused" | "unreachable";

// A backend that fails at one entry may take the next; one that fails at three is unwell.
const MAX_FAILURES = 3;

/** Sends what waits, oldest first, while this process is the one that drains. */
export async function drain(options: DrainOptions, signal: AbortSignal): Promise<Ended> {
  const { folder } = options;
  if ((await folder.waiting()).length === 0) return "done";
  const lock = await tryLock(join(folder.path, "drain.lock"));
  if (!lock) return "busy";
  try {
    let failures = 0;
    for (const id of await folder.waiting()) {
      if (signal.aborted || !(await lock.isHeld())) return "busy";
      const outcome = await attempt(options, id, signal);
      if (outcome === "paused" || outcome === "unreachable") return outcome;
      if (outcome === "failed" && ++failures >= MAX_FAILURES) return "unreachable";
    }
    return "done";
  } finally {
    await lock.release();
  }
}

/** Undefined when there is nothing to send: gone, for another backend, or older than its key. */
async function attempt(options: DrainOptions, id: string, signal: AbortSignal): Promise<Outcome | undefined> {
  const { folder, url, log } = options;
  const waiting = await folder.read(id);
  if (!waiting || waiting.url !== url || ageOf(waiting, new Date()) > MAX_AGE_MS) return undefined;
  const { outcome, error } = await deliver(options, waiting, signal);
  const fields = { queueId: id, tool: waiting.tool, outcome, ...(error ? { code: error.code } : {}) };
  if (outcome === "delivered") log.info(fields, "queued call delivered");
  else log.warn(fields, "queued call not delivered");
  return outcome;
}
