import type { Warning } from "../../answers/wire.ts";
import { findWork, workId } from "../../continuity/work-reference.ts";
import type { Memory } from "../../memory/memory.ts";
import type { NewMemory, Writes } from "../../ports/store.ts";

export const OWN_EVERYWHERE: Warning = {
  reason: "own_everywhere",
  message: "kept as yours alone, in all your projects; `visibility` `project` or `team` shares it with others",
};

/** Requests a review of the author's stored row, if the draft would need one. */
export async function request(tx: Writes, id: number, { requestedVisibility }: NewMemory): Promise<void> {
  const memory = requestedVisibility && (await tx.memories.byId(id));
  if (memory && memory.requestedVisibility === undefined) await tx.promotions.request(memory);
}

/**
 * Closes work items with the memory that describes the result. If one cannot be closed, it throws and the memory is not
 * stored.
 */
export async function closeWork(
  tx: Writes,
  references: readonly string[],
  { projectKey, memory }: { readonly projectKey: string | undefined; readonly memory: Memory },
): Promise<readonly string[]> {
  if (references.length === 0) return [];
  const items = await findWork(references, { field: "closes_work", projectKey }, tx.work);
  for (const item of items) await tx.work.end(item, { status: "done", memoryId: memory.id });
  return items.map(({ id }) => workId(id));
}
