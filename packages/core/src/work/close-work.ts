import type { Memory } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";
import { findWork, workId } from "./work-reference.ts";

/** Closes work with the memory that tells of it. One that cannot be closed throws, and the memory goes with it. */
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
