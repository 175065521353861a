import { isProtected, type Memory } from "../memory/memory.ts";

const DAY_MS = 86_400_000;
const DROP_FROM = 200;
const COMPRESS_FROM = 50;

/** Days unused below which no memory is at risk, however cold and unimportant: 26.6 · (1 + 26.6 / 30) is just 50. */
export const NEVER_AT_RISK_DAYS = 26;

/** Was it said so long before it was taken that it has to be known here for a while before it counts as old. */
export const isOfThePast = (saidAt: Date, takenAt: Date): boolean => takenAt.getTime() - saidAt.getTime() > DAY_MS;

export type RiskVerdict = "drop" | "compress" | "keep";

/** Risk of a memory: the less it would be missed, the higher. From 50 on it is compressed, from 200 on dropped. */
export function risk(
  memory: Pick<Memory, "importance" | "layer" | "createdAt" | "lastAccessedAt">,
  heat: number,
  now: Date,
): number {
  if (isProtected(memory)) return 0;
  const days = Math.max(0, now.getTime() - (memory.lastAccessedAt ?? memory.createdAt).getTime()) / DAY_MS;
  return (1 - heat / 100) * (1 - memory.importance) * days * (1 + days / 30);
}

export function riskVerdict(risk: number): RiskVerdict {
  if (risk >= DROP_FROM) return "drop";
  return risk >= COMPRESS_FROM ? "compress" : "keep";
}
