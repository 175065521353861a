import { UsageError } from "./usage.ts";

/** Reads a whole number; the `UsageError` names the flag. */
export function readCount(flag: string, value: string, min: number, max: number): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= min && count <= max) return count;
  throw new UsageError(
    `\`--${flag} ${value.slice(0, 40)}\` is not a whole number from ${min} to ${max}`,
    "leave it out for the default",
  );
}

/** Joins a number and its noun. @param many plural that is not formed with `s` */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
