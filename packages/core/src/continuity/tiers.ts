import type { Reach } from "../access/space.ts";
import { LAYERS } from "../memory/layer.ts";
import type { Memory } from "../memory/memory.ts";
import type { Filter } from "../ports/search.ts";
import type { Store } from "../ports/store.ts";
import { halfLifeDays } from "./decayed-value.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FRESH_MS = 2 * HOUR_MS;
const MIN_IMPORTANCE = 0.6;
const ROWS = 5;
/** Most rows read to fill the two nearer tiers and to count old rows. */
const LOOKED_AT = 200;

/** Layers by their half-life, undefined for those that never grow old. */
const HALF_LIVES = [...new Set(LAYERS.map((layer) => halfLifeDays({ layer })))];
// The client evaluates this on Node 20 as well, which has no `Map.groupBy`.
const BY_HALF_LIFE = HALF_LIVES.map(
  (half) => [half, LAYERS.filter((layer) => halfLifeDays({ layer }) === half)] as const,
);
const SHORTEST_DAYS = Math.min(...HALF_LIVES.map((half = Number.POSITIVE_INFINITY) => half));

export interface Tiers {
  /** Memories of this session, fresh ones, and important ones that were used within two hours. */
  readonly working: readonly Memory[];
  /** Younger than two half-lives of their kind. */
  readonly active: readonly Memory[];
  /** Number of the remaining rows. */
  readonly archive: number;
}

/**
 * Groups the memories of a place by how near they are to the current work: at most five in each of the two nearer
 * tiers.
 */
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
  const freshFrom = ago(FRESH_MS, now);
  const beforeFresh = new Date(freshFrom.getTime() - 1);
  const newest = (over: Partial<Filter>, limit = ROWS, usedWithinDays?: number) =>
    memories.browse({ order: "newest", usedWithinDays, where: { ...where, ...over }, limit, offset: 0 });
  // If one page holds every memory, the old ones are on it.
  const near = async (over: Partial<Filter>, usedWithinDays?: number) => {
    const lately = await newest(over, ROWS, usedWithinDays);
    if (lately.total === lately.memories.length) return [lately];
    return [lately, await newest({ ...over, until: ago(2 * SHORTEST_DAYS * DAY_MS, now) }, LOOKED_AT, usedWithinDays)];
  };
  const isNear = (memory: Memory) =>
    memory.createdAt >= freshFrom ||
    (session !== undefined && memory.session === session) ||
    (memory.importance >= MIN_IMPORTANCE && memory.lastAccessedAt !== undefined && memory.lastAccessedAt >= freshFrom);
  const young = async ([half, layers]: (typeof BY_HALF_LIFE)[number]) => {
    const since = half === undefined ? undefined : ago(2 * half * DAY_MS, now);
    const read = async (limit: number) => {
      const page = await newest({ layers, since, until: beforeFresh }, limit);
      return { total: page.total, memories: page.memories.filter((memory) => !isNear(memory)) };
    };
    const few = await read(ROWS);
    return few.memories.length < Math.min(ROWS, few.total) ? read(LOOKED_AT) : few;
  };

  const [all, fresh, own, used, active] = await Promise.all([
    newest({}, 0),
    newest({ since: freshFrom }),
    session === undefined ? [] : near({ session }),
    near({ minImportance: MIN_IMPORTANCE }, FRESH_MS / DAY_MS),
    Promise.all(BY_HALF_LIFE.map(young)),
  ]);
  const present = once([fresh, ...own, ...used]);
  const oldButNear = present.filter((memory) => isOld(memory, now)).length;
  const counted = active.reduce((sum, { total }) => sum + total, fresh.total + oldButNear);
  return {
    working: present.slice(0, ROWS),
    active: once(active).slice(0, ROWS),
    archive: Math.max(0, all.total - counted),
  };
}

const ago = (ms: number, now: Date): Date => new Date(now.getTime() - ms);

/** Removes repeats, newest first. */
function once(pages: readonly { readonly memories: readonly Memory[] }[]): Memory[] {
  const byId = new Map(pages.flatMap(({ memories }) => memories).map((memory) => [memory.id, memory]));
  return [...byId.values()].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
}

/** Whether a memory is older than the half-life of its layer. Only the layer counts, as in the count of active rows. */
function isOld({ layer, createdAt }: Memory, now: Date): boolean {
  const half = halfLifeDays({ layer });
  return half !== undefined && now.getTime() - createdAt.getTime() > 2 * half * DAY_MS;
}
