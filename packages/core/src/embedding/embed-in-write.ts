import { type Memory, stateOf } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";
import type { ServerPorts } from "../tool.ts";

/**
 * Gives a memory the vector of its words in the transaction that writes them, where the active model makes one at once.
 * @returns whether it has one now; it is pending otherwise
 */
export async function embedInWrite(
  tx: Writes,
  memory: Memory,
  { store, embedders, leavesPending }: Pick<ServerPorts, "store" | "embedders" | "leavesPending">,
): Promise<boolean> {
  if (leavesPending || stateOf(memory) !== "live") return tx.vectors.isEmbedded(memory);
  const { active } = await store.identities();
  const { identity, embedNow } = embedders(active);
  const vector = embedNow?.(memory.content);
  if (identity && vector) await tx.vectors.put(memory, identity, vector);
  return tx.vectors.isEmbedded(memory);
}
