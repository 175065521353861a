import { ChestError } from "@chest/contracts";
import { noSuchMemory } from "../access/refusals.ts";
import type { Layer } from "../memory/layer.ts";
import { isPinned, isProtected, type Memory } from "../memory/memory.ts";
import { invalid } from "../tool.ts";

/** Refuses to move a pitfall to another layer. */
export function refuseToRelease(memory: Memory, layer: Layer): void {
  if (memory.layer !== "realize" || layer === "realize") return;
  throw new ChestError("PROTECTED", `memory ${memory.id} is a protected realize memory and keeps its layer`, {
    hint: "only the operator's `chest-index purge` removes a realize memory",
    details: { preserved: true, memory_id: memory.id, layer: memory.layer, reason: "realize" },
  });
}

/** Returns a memory that may be archived; throws if it is protected or does not exist. */
export function refuseProtected(memory: Memory | undefined, id: number): Memory {
  if (!memory) throw noSuchMemory(id);
  if (!isProtected(memory)) return memory;
  const reason = reasonKept(memory);
  throw new ChestError("PROTECTED", `memory ${id} is protected (${reason}) and was kept`, {
    hint: wayOut(memory),
    details: { preserved: true, memory_id: id, layer: memory.layer, reason },
  });
}

/** Reason why a protected memory is protected. */
export const reasonKept = ({ layer }: Memory): string => (layer === "realize" || layer === "goal" ? layer : "pinned");

function wayOut(memory: Memory): string {
  if (memory.layer === "realize") return "only the operator's `chest-index purge` removes a realize memory";
  const unpin = isPinned(memory) ? "set its importance below 0.9 with `chest_update_memory`" : undefined;
  const release = memory.layer === "goal" ? "give it another layer with `chest_update_memory`" : undefined;
  return [...[release, unpin].filter(Boolean), "then forget it"].join(", ");
}

/** Error for moving a memory to a project although it was written in none. */
export const noProjectToMoveTo = (id: number): ChestError =>
  invalid([{ path: "visibility", message: `memory ${id} belongs to no project: it is \`private\`, or the team's` }]);

/** Error for a name that another memory has in the target place. */
export const nameIsTaken = (id: number): ChestError =>
  invalid([{ path: "visibility", message: `another memory there has the name of memory ${id}` }]);
