import { some } from "../answers/wire.ts";
import { isProtected, type Memory, stateOf } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";

/**
 * Archives the memories that a new one replaces, and links them; those that stay are named with the reason. A memory
 * never replaces itself, nor one with readers who could not read the successor.
 */
export async function supersedeAll(tx: Writes, ids: readonly number[], successor: Memory) {
  const superseded: number[] = [];
  const skippedProtected: number[] = [];
  const skipped: { id: number; reason: string }[] = [];
  for (const id of new Set(ids)) {
    if (id === successor.id) continue;
    const old = await tx.memories.byId(id);
    if (!old) skipped.push({ id, reason: "not_found" });
    else if (stateOf(old) !== "live") skipped.push({ id, reason: "archived" });
    else if (isProtected(old)) skippedProtected.push(id);
    else if (!(await tx.memories.isOpenToReadersOf(old, successor))) skipped.push({ id, reason: "wider_audience" });
    else {
      await tx.memories.supersede(old, successor.id);
      superseded.push(id);
    }
  }
  return {
    ...some("superseded", superseded),
    ...some("skipped_protected", skippedProtected),
    ...some("skipped", skipped),
  };
}
