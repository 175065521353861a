import { isProtected, stateOf } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";
import { some } from "../wire.ts";

/** Archives what a memory replaces and links it; what stays is named, with the reason. A successor never replaces itself. */
export async function supersedeAll(tx: Writes, ids: readonly number[], successorId: number) {
  const superseded: number[] = [];
  const skippedProtected: number[] = [];
  const skipped: { id: number; reason: string }[] = [];
  for (const id of new Set(ids)) {
    if (id === successorId) continue;
    const old = await tx.memories.byId(id);
    if (!old) skipped.push({ id, reason: "not_found" });
    else if (stateOf(old) !== "live") skipped.push({ id, reason: "archived" });
    else if (isProtected(old)) skippedProtected.push(id);
    else {
      await tx.memories.supersede(old, successorId);
      superseded.push(id);
    }
  }
  return {
    ...some("superseded", superseded),
    ...some("skipped_protected", skippedProtected),
    ...some("skipped", skipped),
  };
}
