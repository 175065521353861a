import { isExpired, isProtected, type Memory } from "../../memory/memory.ts";
import type { Ranking } from "./ranking.ts";

const DAY_MS = 86_400_000;
const SUPERSEDED = 0.25;
const LEAST_TTL = 0.9;

/** Score of a row, with its factors. */
export interface Score {
  readonly composite: number;
  readonly relevance: number;
  readonly heat: number;
  readonly momentum: number;
  readonly importance: number;
  readonly activation: number;
  readonly ttlPenalty: number;
  readonly supersessionPenalty: number;
}

/**
 * Combines relevance with heat, momentum, importance and time, which order rows of equal relevance and never outrank an
 * exact answer. They multiply the relevance: added to it, they would decide wherever nothing matches well. The score is
 * independent of other rows.
 */
export function score(
  memory: Memory,
  relevance: number,
  heat: number,
  now: Date,
  { weights, activationFloor }: Pick<Ranking, "weights" | "activationFloor">,
  ignoreDecay: boolean,
): Score {
  const factors = ignoreDecay
    ? { activation: 1, ttlPenalty: 1, supersessionPenalty: 1 }
    : {
        activation: activationFloor + (1 - activationFloor) * activation(memory),
        ttlPenalty: ttlPenalty(memory, now),
        supersessionPenalty: memory.supersededById === undefined ? 1 : SUPERSEDED,
      };
  const parts = {
    relevance,
    heat: heat / 100,
    momentum: Math.min(1, memory.entity.momentum / 10),
    importance: memory.importance,
  };
  const worth =
    weights.relevance +
    weights.heat * parts.heat +
    weights.momentum * parts.momentum +
    weights.importance * parts.importance;
  const composite = relevance * worth * factors.activation * factors.ttlPenalty * factors.supersessionPenalty;
  return { composite, ...parts, ...factors };
}

/** Last computed activation; a protected memory, or one without a value, counts as just used. */
function activation(memory: Memory): number {
  return isProtected(memory) ? 1 : (memory.activation?.score ?? 1);
}

/**
 * Factor 1, and after the lifetime of its layer e^(−overdue days / 14), at least .9: until a pass archives it, an exact
 * answer of last year stays above recent noise. Protected memories keep 1.
 */
function ttlPenalty(memory: Memory, now: Date): number {
  if (memory.expiresAt === undefined || !isExpired(memory, now) || isProtected(memory)) return 1;
  const overdue = (now.getTime() - memory.expiresAt.getTime()) / DAY_MS;
  return Math.max(LEAST_TTL, Math.exp(-overdue / 14));
}
