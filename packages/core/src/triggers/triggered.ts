import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";
import { isTriggered, sceneOf } from "./condition.ts";
import type { Situation } from "./situation.ts";

const MAX_TRIGGERED = 5;

/** Memories in the caller's place whose condition holds now, the most important first, at most five. */
export async function triggeredFor(
  { triggers, memories }: Pick<Store, "triggers" | "memories">,
  situation: Situation,
): Promise<readonly Memory[]> {
  const all = await triggers.all("here");
  if (all.length === 0) return [];
  const scene = sceneOf(situation);
  const ids: number[] = [];
  for (const { memoryId, condition } of all) {
    if (!isTriggered(condition, scene)) continue;
    ids.push(memoryId);
    if (ids.length === MAX_TRIGGERED) break;
  }
  return memories.byIds(ids);
}
