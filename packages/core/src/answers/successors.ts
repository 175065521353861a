import type { MemoryRows } from "../ports/store.ts";
import type { ShownMemory } from "../recall/answer/formats.ts";

/** Successors of some memories that the reader may open, by one query. */
export async function openSuccessors(
  ids: readonly number[],
  memories: Pick<MemoryRows, "byIds">,
): Promise<ReadonlySet<number>> {
  return new Set(ids.length === 0 ? [] : (await memories.byIds(ids)).map(({ id }) => id));
}

/** Removes successors that the reader may not open from shown memories. */
export async function withOpenSuccessors(
  shown: readonly ShownMemory[],
  memories: Pick<MemoryRows, "byIds">,
): Promise<ShownMemory[]> {
  const named = shown.flatMap(({ superseded_by_id: id }) => (typeof id === "number" ? [id] : []));
  if (named.length === 0) return [...shown];
  const open = await openSuccessors(named, memories);
  const isHidden = ({ superseded_by_id: id }: ShownMemory) => typeof id === "number" && !open.has(id);
  return shown.map((item) => (isHidden(item) ? { ...item, superseded_by_id: null } : item));
}
