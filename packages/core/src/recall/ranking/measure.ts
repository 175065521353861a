import { bandOf, heat } from "../../lifecycle/heat.ts";
import type { Memory } from "../../memory/memory.ts";
import type { ToolPorts } from "../../tool.ts";
import type { Candidate, Question } from "../candidates.ts";
import type { Fused } from "./fuse.ts";
import { score } from "./score.ts";

const HOUR_MS = 3_600_000;

/** Openings of the current hour are left out, so that reading a page does not change the order of the next. */
const hourOf = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);

/** Reads memories that will be scored. */
export function readMeasured(
  ids: readonly number[],
  { now }: Pick<Question, "now">,
  { store }: Pick<ToolPorts, "store">,
): Promise<readonly Memory[]> {
  const read = store.memories.byIds(ids);
  store.ahead?.(ids, now, hourOf(now));
  return read;
}

/** Scores memories, with all values that decide their rank. */
export async function measure(
  memories: readonly Memory[],
  fused: ReadonlyMap<number, Fused>,
  { query, ranking, now, ignoreDecay }: Question,
  { store }: ToolPorts,
): Promise<Candidate[]> {
  const typed = query?.text.toLowerCase();
  const hour = hourOf(now);
  const isFresh = ({ lastAccessedAt }: Memory) => lastAccessedAt !== undefined && lastAccessedAt >= hour;
  const used = memories.filter(({ accessCount }) => accessCount > 0).map(({ id }) => id);
  const [accesses, opponents] = await Promise.all([
    used.length > 0 ? store.memories.accesses(used, now, hour) : undefined,
    store.conflicts.opponents(memories.map(({ id }) => id)),
  ]);
  return memories.map((memory) => {
    const row = fused.get(memory.id);
    const all = accesses?.get(memory.id);
    const before = isFresh(memory) ? all?.earlier : all;
    const asOfTheHour = isFresh(memory)
      ? { ...memory, lastAccessedAt: before?.lastAt, accessCount: before?.total ?? 0 }
      : memory;
    const warmth = heat(memory, all, now);
    return {
      memory,
      fused: row,
      heat: warmth,
      band: bandOf(warmth, memory, now),
      score: score(memory, row?.relevance ?? 1, heat(asOfTheHour, before, now), now, ranking, ignoreDecay),
      opponents: opponents.get(memory.id) ?? [],
      isLiteral: once(() => typed !== undefined && memory.content.toLowerCase().includes(typed)),
    };
  });
}

/** Computes a value on first use: each tie of each sort asks for it. */
function once(find: () => boolean): () => boolean {
  let found: boolean | undefined;
  return () => {
    found ??= find();
    return found;
  };
}
