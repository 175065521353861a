import type { Layer } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Category } from "../memory/metadata.ts";

const DAY_MS = 86_400_000;

interface Kind {
  /** Days in which the age weight falls by half; undefined: it does not fall. */
  readonly halfLifeDays: number | undefined;
  readonly weight: number;
}

const LAYER_KINDS: Readonly<Record<Layer, Kind>> = {
  goal: { halfLifeDays: undefined, weight: 1.5 },
  realize: { halfLifeDays: undefined, weight: 1.5 },
  learning: { halfLifeDays: 90, weight: 1.5 },
  implementation: { halfLifeDays: 30, weight: 1 },
  context: { halfLifeDays: 14, weight: 0.8 },
  emotion: { halfLifeDays: 14, weight: 0.5 },
};

/** Weights by category, for categories that predict the value better than the layer. */
const CATEGORY_KINDS: Readonly<Partial<Record<Category, Kind>>> = {
  decision: { halfLifeDays: 90, weight: 1.5 },
  discovery: { halfLifeDays: 60, weight: 1.3 },
  feature: { halfLifeDays: 30, weight: 1 },
  bug: { halfLifeDays: 14, weight: 1.1 },
  refactor: { halfLifeDays: 14, weight: 0.6 },
  change: { halfLifeDays: 7, weight: 0.5 },
};

const LESSON = 1.3;

type Kinded = Pick<Memory, "layer"> & Partial<Pick<Memory, "category">>;

/** A goal or a pitfall keeps its value in any category. */
function kindOf({ layer, category }: Kinded): Kind {
  const kind = LAYER_KINDS[layer];
  if (kind.halfLifeDays === undefined || category === undefined) return kind;
  return CATEGORY_KINDS[category] ?? kind;
}

export const halfLifeDays = (memory: Kinded): number | undefined => kindOf(memory).halfLifeDays;

export const isLesson = (layer: Layer): boolean => layer === "learning" || layer === "realize";

/** Age weight of a row, from 1 down to ½. Only rows shown without a request are weighted by age. */
export function recency(memory: Kinded & Pick<Memory, "createdAt">, now: Date): number {
  const days = Math.max(0, now.getTime() - memory.createdAt.getTime()) / DAY_MS;
  const half = halfLifeDays(memory);
  return half === undefined ? 1 : (1 + 2 ** (-days / half)) / 2;
}

/** Value of a row for a briefing: by age, importance and kind, lessons first. */
export function decayedValue(memory: Kinded & Pick<Memory, "createdAt" | "importance">, now: Date): number {
  const { weight } = kindOf(memory);
  const lesson = isLesson(memory.layer) ? LESSON : 1;
  return recency(memory, now) * weight * (0.5 + 0.5 * memory.importance) * lesson;
}
