import { ChestError } from "@chest/contracts";
import { SearchTimeout } from "@chest/core/ports";
import { busy, storageFull } from "@chest/store/database/refusals";

export { busy };

const RETRY_MS = 1000;

/** Error code of the server (five characters) or the driver; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error instanceof ChestError ? undefined : error.code;
}

/** A conflict between transactions: the same work succeeds when it is run again. */
export const isLostRace = (error: unknown): boolean =>
  ["40001", "40P01", "55P03", "23505"].includes(codeOf(error) ?? "");

/** The connection was lost, or could not be made. */
export function isLostConnection(error: unknown): boolean {
  return /^(?:E[A-Z]+$|08|57P0)/.test(codeOf(error) ?? "") || LOST.test(messageOf(error));
}

// Driver messages without a code.
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Query read timeout)/;
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");

/** Converts a refusal of the database to the caller's error; other errors are unchanged. */
export function readable(error: unknown): unknown {
  if (isLostConnection(error)) return away(error);
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "53100") return storageFull(error);
  if (code === "57014") return new SearchTimeout("the database did not answer in time");
  if (isLostRace(error) || code === "53300") return busy(error);
  if (code === "25006") return readOnly(error);
  return error;
}

const away = (cause: unknown) =>
  new ChestError("UNAVAILABLE", "the database does not answer", {
    hint: "try again after the delay given; the operator checks the database and the backend's log",
    details: { retry_after_ms: 2 * RETRY_MS },
    cause,
  });

const readOnly = (cause: unknown) =>
  new ChestError("UNAVAILABLE", "the database accepts no writes: it is a replica, or set to be read only", {
    hint: "the operator points CHEST_DATABASE_URL at the primary",
    details: { retry_after_ms: 5 * RETRY_MS },
    cause,
  });

/** Error for a connection that was lost during a commit. */
export const fateUnknown = (cause: unknown) =>
  new ChestError("UNAVAILABLE", "the connection was lost while this was committed: it may be stored or not", {
    hint: "look whether it is there before sending it again; with an Idempotency-Key a repeat is safe",
    details: { retry_after_ms: 2 * RETRY_MS },
    cause,
  });

/** Error for a search that timed out, if the answer needs it. */
export const late = (cause: unknown) =>
  new ChestError("UNAVAILABLE", "the database did not answer in time", {
    hint: "try again after the delay given",
    details: { retry_after_ms: RETRY_MS },
    cause,
  });
