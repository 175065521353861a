import type { Memory } from "../memory/memory.ts";
import type { Store } from "../ports/store.ts";
import { isTriggered, sceneOf } from "./condition.ts";
import type { Situation } from "./situation.ts";

const MAX_TRIGGERED = 5;
/** Most matching memories to examine: flagged ones among them are skipped. */
const MAX_HOLDING = 50;

/**
 * Memories in the caller's place whose condition holds now, most important first, at most five. Flagged memories are
 * never shown.
 * @param shown ids to skip
 */
export async function triggeredFor(
  { triggers, memories }: Pick<Store, "triggers" | "memories">,
  situation: Situation,
  shown: readonly number[] = [],
): Promise<readonly Memory[]> {
  const all = await triggers.all("here");
  if (all.length === 0) return [];
  const { project } = situation;
  const projectAliases = project === undefined ? [] : await triggers.keysOf(project);
  const scene = sceneOf({ ...situation, projectAliases });
  const ids: number[] = [];
  for (const { memoryId, condition } of all) {
    if (shown.includes(memoryId) || !isTriggered(condition, scene)) continue;
    ids.push(memoryId);
    if (ids.length === MAX_HOLDING) break;
  }
  const found = await memories.byIds(ids);
  return found.filter(({ flags }) => flags.length === 0).slice(0, MAX_TRIGGERED);
}
