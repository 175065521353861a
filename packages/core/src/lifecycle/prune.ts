import type { Memory } from "../memory/memory.ts";
import type { PruneLimits } from "../ports/lifecycle.ts";

const DAY_MS = 86_400_000;

/** Has nobody used a memory for long, is nobody sure of it, and did nobody call it important. */
export function isWorthless(
  { confidence, importance, lastAccessedAt, createdAt }: Memory,
  { unusedDays, below, importanceBelow }: PruneLimits,
  now: Date,
): boolean {
  const unusedMs = now.getTime() - (lastAccessedAt ?? createdAt).getTime();
  return confidence < below && importance < importanceBelow && unusedMs >= unusedDays * DAY_MS;
}
