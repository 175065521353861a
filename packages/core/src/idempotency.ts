import { createHash } from "node:crypto";
import { ChestError } from "@chest/contracts";

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
