import { join } from "node:path";
import { ChestError } from "@chest/contracts";
import type { Log } from "../log.ts";
import { type Courier, deliver, type Outcome } from "./deliver.ts";
import { ageOf, type Entry, MAX_AGE_MS } from "./entry.ts";
import { type Lock, tryLock } from "./lock.ts";
import { isOf, type Sender } from "./sender.ts";
import { isFull, troubleWith } from "./trouble.ts";

export interface DrainOptions extends Courier {
  /** Entries for another backend wait for their own. */
  readonly url: string;
  /** Entries of another member wait for a token of that one. */
  readonly sender: () => Promise<Sender>;
  readonly log: Log;
  /** Entries that delivery has skipped because of their files, so that each is reported once. */
  readonly skipped: Set<string>;
}

/** Reason for the end of a round; after `done`, nothing is left that could be sent now. */
export type Ended = "done" | "busy" | "paused" | "unreachable";

// If one entry fails, the next may succeed; after three failures the backend counts as down.
const MAX_FAILURES = 3;

/** Sends what waits, oldest first, while this process is the one that drains. */
export async function drain(options: DrainOptions, signal: AbortSignal): Promise<Ended> {
  const { folder } = options;
  if ((await folder.waiting()).length === 0) return "done";
  const lock = await takeLock(options);
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

/**
 * Creating the lock fails on a full disk. Delivery makes room, so the outbox is then drained without a lock, if the
 * backend honours keys.
 */
async function takeLock({ folder, honoursKeys }: DrainOptions): Promise<Lock | undefined> {
  try {
    return await tryLock(join(folder.path, "drain.lock"));
  } catch (error) {
    if (!isFull(error) || (await honoursKeys()) === false) throw error;
    return NO_LOCK;
  }
}

const NO_LOCK: Lock = { isHeld: async () => true, release: async () => {} };

/**
 * Reads an entry. Undefined if it must not be sent now: it is gone, for another backend, older than its key, or its file
 * cannot be read.
 */
async function attempt(options: DrainOptions, id: string, signal: AbortSignal): Promise<Outcome | undefined> {
  const { folder, url, log } = options;
  try {
    const waiting = await folder.read(id);
    if (!waiting || waiting.url !== url || ageOf(waiting, new Date()) > MAX_AGE_MS) return undefined;
    if (!isOf(waiting, await options.sender())) return undefined;
    return await send(options, waiting, signal);
  } catch (error) {
    const trouble = troubleWith(folder.path, error instanceof ChestError ? error.cause : error);
    if (!trouble) throw error;
    if (!options.skipped.has(id)) log.warn({ queueId: id, err: error }, "queued call skipped, its file cannot be used");
    options.skipped.add(id);
    return undefined;
  }
}

async function send(options: DrainOptions, waiting: Entry, signal: AbortSignal): Promise<Outcome> {
  const { outcome, error } = await deliver(options, waiting, signal);
  const fields = {
    queueId: waiting.id,
    tool: waiting.tool,
    outcome,
    ...(error ? { code: error.code } : {}),
  };
  if (outcome === "delivered") options.log.info(fields, "queued call delivered");
  else options.log.warn(fields, "queued call not delivered");
  return outcome;
}
