import { redact } from "@chest/core/redaction";

// Arguments of tools are flat; deeper nesting is refused by their schemas.
const MAX_DEPTH = 8;

/** A call's arguments without credentials, in every string. */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (depth >= MAX_DEPTH || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => scrub(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, scrub(item, depth + 1)]));
}
