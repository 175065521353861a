import { deliver, replay } from "../deliver.ts";
import type { Act } from "../happening.ts";

// A turn ends: the agent waits, but nobody reads.
const LEFT_MS = 300;

export const stop: Act = async (happening) => {
  if (happening.input.isStopActive) return "again";
  const outcome = await deliver(happening);
  const others = await replay(happening, LEFT_MS);
  return others === 0 ? outcome : `${outcome} others=${others}`;
};
