import { deliver, replay } from "../deliver.ts";
import type { Act } from "../happening.ts";

const LEFT_MS = 300;

export const sessionEnd: Act = async (happening) => {
  const outcome = await deliver(happening, ["session-end"]);
  await replay(happening, LEFT_MS);
  return outcome;
};
