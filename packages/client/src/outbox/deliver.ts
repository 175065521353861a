import { ChestError } from "@chest/contracts";
import type { Executor } from "@chest/core/executor";
import { mayHaveArrived } from "../no-answer.ts";
import { callOf, type Entry } from "./entry.ts";
import type { OutboxFolder } from "./folder.ts";

/** Outcome of one attempt: stored, refused for good, paused, no backend, or a failure of the backend at this call. */
export type Outcome = "delivered" | "refused" | "paused" | "unreachable" | "failed";

export interface Courier {
  readonly folder: OutboxFolder;
  readonly backend: Executor;
  /** Whether the backend honours keys. Undefined when it cannot be asked. */
  readonly honoursKeys: () => Promise<boolean | undefined>;
}

export interface Delivery {
  readonly outcome: Outcome;
  readonly error?: ChestError | undefined;
}

/** Sends one entry. Then removes it, or moves it aside if the backend refuses it. */
export async function deliver(courier: Courier, waiting: Entry, signal: AbortSignal): Promise<Delivery> {
  const { folder, backend } = courier;
  const honoursKeys = await courier.honoursKeys();
  if (honoursKeys === undefined) return { outcome: "unreachable" };
  if (!honoursKeys) {
    if (waiting.may_have_arrived) return aside(folder, waiting, UNCERTAIN);
    // Written before the call is sent, so that a crash cannot send it a second time.
    await folder.update({ ...waiting, may_have_arrived: true });
  }
  try {
    await backend.execute(waiting.tool, waiting.input, callOf(waiting, signal));
  } catch (error) {
    if (!(error instanceof ChestError)) throw error;
    const outcome = readOutcome(error);
    if (outcome === "refused") return aside(folder, waiting, error);
    if (!honoursKeys && !mayHaveArrived(error)) await folder.update(waiting);
    return { outcome, error };
  }
  await folder.remove(waiting.id);
  return { outcome: "delivered" };
}

async function aside(folder: OutboxFolder, waiting: Entry, error: ChestError): Promise<Delivery> {
  await folder.setAside(waiting, error, new Date());
  return { outcome: "refused", error };
}

const UNCERTAIN = new ChestError("UNAVAILABLE", "it may have been stored before its answer was lost", {
  hint: "this backend does not honour idempotency keys: check whether it is stored, then drop it or retry it",
});

const REFUSING: ReadonlySet<number> = new Set([400, 403, 404, 409, 413, 422]);

function readOutcome(error: ChestError): Outcome {
  if (error.code === "BACKEND_UNREACHABLE" || error.code === "UNAVAILABLE") return "unreachable";
  if (error.code === "INTERNAL_ERROR") return "failed";
  // If the token lacks a right, the entry waits for another token and is not refused.
  if (error.code !== "FORBIDDEN" && REFUSING.has(error.status)) return "refused";
  return "paused";
}
