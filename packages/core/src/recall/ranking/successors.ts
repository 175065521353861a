import type { MemoryRows } from "../../ports/store.ts";
import type { ShownMemory } from "../answer/formats.ts";

/** Shown memories without the successors that the reader may not open: one question for all of them. */
export async function withOpenSuccessors(
  shown: readonly ShownMemory[],
  memories: Pick<MemoryRows, "byIds">,
): Promise<ShownMemory[]> {
  const named = shown.flatMap(({ superseded_by_id: id }) => (typeof id === "number" ? [id] : []));
  if (named.length === 0) return [...shown];
  const open = new Set<unknown>((await memories.byIds(named)).map(({ id }) => id));
  const isHidden = ({ superseded_by_id: id }: ShownMemory) => typeof id === "number" && !open.has(id);
  return shown.map((item) => (isHidden(item) ? { ...item, superseded_by_id: null } : item));
}
