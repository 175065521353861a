import { UsageError } from "./usage.ts";

/** A whole number that was typed; `UsageError` names the flag. */
export function readCount(flag: string, given: string, min: number, max: number): number {
  const count = Number(given);
  if (/^\d+$/.test(given) && count >= min && count <= max) return count;
  throw new UsageError(
    `\`--${flag} ${given.slice(0, 40)}\` is not a whole number from ${min} to ${max}`,
    "leave it out for the default",
  );
}

/** A number and what it is of. @param many where an `s` does not make it. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
