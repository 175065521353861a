import { type Memory, stateOf } from "../memory/memory.ts";
import type { Writes } from "../ports/store.ts";
import type { ServerPorts } from "../tool.ts";
import { isSameIdentity } from "./known.ts";

/**
 * Gives a memory of new words their vector in the transaction that writes them, where the active model makes one at once.
 * @returns whether it has got one; it is pending otherwise
 */
export async function embedInWrite(
  tx: Writes,
  memory: Memory,
  { store, embedders, leavesPending }: Pick<ServerPorts, "store" | "embedders" | "leavesPending">,
): Promise<boolean> {
  if (leavesPending || stateOf(memory) !== "live") return false;
  const { active } = await store.identities();
  const { identity, embedNow } = embedders(active);
  const vector = embedNow?.(memory.content);
  if (!identity || !vector) return false;
  await tx.vectors.put(memory, identity, vector);
  return isSameIdentity(identity, active);
}
