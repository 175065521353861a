import type { Reach } from "../access/space.ts";
import { LAYERS } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Filter } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import { halfLifeDays } from "./passive-value.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRESH_MS = 2 * HOUR_MS;
const MIN_IMPORTANCE = 0.6;
const ROWS = 5;
const LOOKED_AT = 200;

export interface Tiers {
  /** Memories of this session, fresh ones, and important ones that were used within two hours. */
  readonly working: readonly Memory[];
  /** Younger than two half-lives of their kind. */
  readonly active: readonly Memory[];
  /** How many the rest are. */
  readonly archive: number;
}

/** Memories of a place by how near they are to the present work: at most five of the two nearer tiers. */
export async function tiersOf(
  {
    reach,
    project,
    session,
  }: { readonly reach: Reach; readonly project: string | undefined; readonly session: string | undefined },
  { memories }: Store,
  now: Date,
): Promise<Tiers> {
  const where: Filter = { reach, fromProject: project, withArchived: false, withSuperseded: false };
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const browse = (over: Partial<Filter>, rest: { order: "newest" | "used"; usedWithinDays?: number }) =>
    memories.browse({ ...rest, where: { ...where, ...over }, limit: LOOKED_AT, offset: 0 });
  const [own, fresh, used, all, ...active] = await Promise.all([
    session === undefined ? { memories: [] } : browse({ session }, { order: "newest" }),
    browse({ since: ago(FRESH_MS) }, { order: "newest" }),
    browse({ minImportance: MIN_IMPORTANCE }, { order: "used", usedWithinDays: FRESH_MS / DAY_MS }),
    browse({}, { order: "newest" }),
    ...LAYERS.map((layer) => {
      const half = halfLifeDays({ layer });
      const since = half === undefined ? {} : { since: ago(2 * half * DAY_MS) };
      return browse({ layers: [layer], ...since }, { order: "newest" });
    }),
  ]);
  const near = new Map([...own.memories, ...fresh.memories, ...used.memories].map((memory) => [memory.id, memory]));
  const working = [...near.values()].sort(newestFirst);
  const others = active
    .flatMap((page) => page.memories)
    .filter(({ id }) => !near.has(id))
    .sort(newestFirst);
  const young = active.reduce((sum, { total }) => sum + total, 0);
  const oldButNear = working.filter((memory) => isOld(memory, now)).length;
  return {
    working: working.slice(0, ROWS),
    active: others.slice(0, ROWS),
    archive: Math.max(0, all.total - young - oldButNear),
  };
}

/** By its layer alone, as active rows are counted. */
function isOld({ layer, createdAt }: Memory, now: Date): boolean {
  const half = halfLifeDays({ layer });
  return half !== undefined && now.getTime() - createdAt.getTime() > 2 * half * DAY_MS;
}

const newestFirst = (a: Memory, b: Memory): number => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id;
