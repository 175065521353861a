import { ChestError } from "@chest/contracts";

const RETRY_MS = 1000;

/** The disk took no more. */
export const storageFull = (cause: unknown) =>
  new ChestError("STORAGE_FULL", "the disk under the database is full: nothing was written", {
    hint: "the operator frees space; reads continue",
    cause,
  });

/** Others were first, and it took too long. */
export const busy = (cause?: unknown) =>
  new ChestError("UNAVAILABLE", "the database is busy", {
    hint: "try again after the delay given",
    details: { retry_after_ms: RETRY_MS },
    cause,
  });
