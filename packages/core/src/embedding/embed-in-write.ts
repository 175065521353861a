import { type Memory, stateOf } from "../memory/memory.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Writes } from "../ports/store.ts";
import type { ServerPorts } from "../tool.ts";
import { BUILTIN_IDENTITY, isSameIdentity } from "./known-models.ts";

type WritePorts = Pick<ServerPorts, "store" | "embedders" | "leavesPending" | "alsoEmbeds">;

/**
 * Gives a memory of new words their vector in the transaction that writes them, where the active model makes one at once;
 * beside the model that comes with Chest that of the table, if it is wanted.
 * @returns whether it has got the one of the active model; it is pending otherwise
 */
export async function embedInWrite(
  tx: Writes,
  memory: Memory,
  { store, embedders, leavesPending, alsoEmbeds }: WritePorts,
): Promise<boolean> {
  if (leavesPending || stateOf(memory) !== "live") return false;
  const { active } = await store.identities();
  if (alsoEmbeds && isSameIdentity(active, BUILTIN_IDENTITY)) await storeVector(tx, memory, embedders(alsoEmbeds));
  const identity = await storeVector(tx, memory, embedders(active));
  return identity !== undefined && isSameIdentity(identity, active);
}

/** Stores the vector that an embedder makes at once, and gives the identity of it. */
async function storeVector(tx: Writes, memory: Memory, { identity, embedNow }: Embedder) {
  const vector = identity && embedNow?.(memory.content);
  if (!identity || !vector) return undefined;
  await tx.vectors.put(memory, identity, vector);
  return identity;
}
