import type { Memory } from "../memory/memory.ts";
import type { PruneLimits } from "../ports/lifecycle.ts";

const DAY_MS = 86_400_000;

/** Whether a memory is long unused, unsure and unimportant. */
export function isWorthless(
  { confidence, importance, lastAccessedAt, createdAt }: Memory,
  { unusedDays, below, importanceBelow }: PruneLimits,
  now: Date,
): boolean {
  const unusedMs = now.getTime() - (lastAccessedAt ?? createdAt).getTime();
  return confidence < below && importance < importanceBelow && unusedMs >= unusedDays * DAY_MS;
}
