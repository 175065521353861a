import { ChestError } from "@chest/contracts";

const RETRY_MS = 1000;

/** Error for a full disk. */
export const storageFull = (cause: unknown) =>
  new ChestError("STORAGE_FULL", "the disk under the database is full: nothing was written", {
    hint: "the operator frees space; reads continue",
    cause,
  });

/** Error for a lock that was not obtained in time. */
export const busy = (cause?: unknown) =>
  new ChestError("UNAVAILABLE", "the database is busy", {
    hint: "try again after the delay given",
    details: { retry_after_ms: RETRY_MS },
    cause,
  });
