import { isExpired, isProtected, type Memory } from "../../memory/memory.ts";
import type { Ranking } from "./ranking.ts";

const DAY_MS = 86_400_000;
const SUPERSEDED = 0.25;
const LEAST_TTL = 0.9;

/** Score of a place in the answer, with its factors as applied. */
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
 * Relevance decides; heat, momentum, importance and time order equals, and never bury an exact answer. They are a factor of
 * the relevance: added to it they would decide wherever nothing matches well. Nothing in it depends on what else was found.
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

/** Activation as last computed; a protected memory, or one not computed yet, counts as just used. */
function activation(memory: Memory): number {
  return isProtected(memory) ? 1 : (memory.activation?.score ?? 1);
}

/**
 * 1, and past the lifetime of its layer e^(−overdue days / 14), not under .9: until a pass archives it, an exact answer of last year
 * stays above fresh noise. A protected memory does not fade.
 */
function ttlPenalty(memory: Memory, now: Date): number {
  if (memory.expiresAt === undefined || !isExpired(memory, now) || isProtected(memory)) return 1;
  const overdue = (now.getTime() - memory.expiresAt.getTime()) / DAY_MS;
  return Math.max(LEAST_TTL, Math.exp(-overdue / 14));
}
