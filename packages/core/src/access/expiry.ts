import { ChestError } from "@chest/contracts";
import { invalid } from "../tool.ts";

const USUAL = "90d";
const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const LONGEST_MS = 3650 * UNITS_MS.d;

/**
 * When a token ends: `90d`, `12h`, `4w` from now, or `never`, which is undefined.
 * @param latest when the token ends that it is made with; what is not asked for ends with it at the latest.
 */
export function readExpiry(input: string | undefined, now: Date, latest: Date | undefined): Date | undefined {
  const expiresAt = parse(input ?? USUAL, now);
  if (!latest || (expiresAt && expiresAt <= latest)) return expiresAt;
  if (input === undefined) return latest;
  throw new ChestError("INVALID_INPUT", "expires: a token ends no later than the one it is made with", {
    hint: `leave it out, or ask an admin; this one ends ${latest.toISOString()}`,
    details: { field: "expires", given: input },
  });
}

function parse(text: string, now: Date): Date | undefined {
  if (text === "never") return undefined;
  const [, count, unit] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (ms <= LONGEST_MS) return new Date(now.getTime() + ms);
  throw invalid([{ path: "expires", message: "is neither `never` nor a time like `12h`, `90d`, `4w`, up to `3650d`" }]);
}
