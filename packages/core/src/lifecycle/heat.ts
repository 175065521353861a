import type { Memory } from "../memory/memory.ts";
import type { Accesses } from "../ports/store.ts";

const DAY_MS = 86_400_000;

export const BANDS = ["hot", "warm", "cold", "frozen"] as const;
export type Band = (typeof BANDS)[number];

/** 0–100: how much a memory is in use. Counted from true accesses, its last use, and its importance. */
export function heat(
  memory: Pick<Memory, "accessCount" | "importance" | "createdAt" | "lastAccessedAt">,
  accesses: Pick<Accesses, "within30Days" | "within90Days"> | undefined,
  now: Date,
): number {
  const days = (now.getTime() - (memory.lastAccessedAt ?? memory.createdAt).getTime()) / DAY_MS;
  const recency = days <= 7 ? 20 : days <= 30 ? 10 : days <= 90 ? 0 : -10;
  const value =
    Math.min(3 * (accesses?.within30Days ?? 0), 30) +
    Math.min(accesses?.within90Days ?? 0, 20) +
    recency +
    Math.min(0.5 * memory.accessCount, 15) +
    15 * memory.importance;
  return Math.min(100, Math.max(0, value));
}

/** Use says nothing yet about a memory saved within this time. */
const FRESH_MS = DAY_MS;

/** The band that a memory's use gives it. */
export function bandOfUse(heat: number): Band {
  if (heat >= 70) return "hot";
  if (heat >= 40) return "warm";
  return heat >= 20 ? "cold" : "frozen";
}

/** The band of a memory; a fresh one is at least warm. */
export function bandOf(heat: number, { createdAt }: Pick<Memory, "createdAt">, now: Date): Band {
  const band = bandOfUse(heat);
  const isFresh = now.getTime() - createdAt.getTime() <= FRESH_MS;
  return isFresh && band !== "hot" ? "warm" : band;
}
