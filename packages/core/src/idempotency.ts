import { createHash } from "node:crypto";
import { ChestError } from "@chest/contracts";

/** What makes a repeat of a write known as one. */
export interface Once {
  /** A repeat under the same key returns the first answer. */
  readonly idempotencyKey?: string | undefined;
  /** What the key stands for: this tool, or route, with this input. Without it, no key is gone by. */
  readonly request?: { readonly tool: string; readonly input: unknown } | undefined;
  /** Told when the answer is a first answer given again. */
  readonly onReplay?: (() => void) | undefined;
}

/** A fingerprint of a call: the same tool with the same input, whatever the order of its keys. */
export function requestHash({ tool, input }: { readonly tool: string; readonly input: unknown }): string {
  return createHash("sha256")
    .update(`${tool}\n${JSON.stringify(ordered(input))}`)
    .digest("hex");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, ordered(part)]),
  );
}

export function idempotencyMismatch(): ChestError {
  return new ChestError("IDEMPOTENCY_MISMATCH", "this Idempotency-Key was used for another request", {
    hint: "make a new key for every intended write",
  });
}

/** For an answer that holds what is shown once and kept nowhere. */
export function alreadyDone(what: string, { hint, id }: { readonly hint: string; readonly id: number }): ChestError {
  return new ChestError("ALREADY_DONE", `${what} ${id} was made by this request before, and is shown once`, {
    hint,
    details: { id },
  });
}
