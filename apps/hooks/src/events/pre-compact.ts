import { noteContextEnd } from "@chest/runtime/context-ends";
import type { Act } from "../hook-event.ts";
import { deliver } from "../session/deliver.ts";

export const preCompact: Act = async (happening) => {
  noteContextEnd(happening.dataDir, happening.input.cwd);
  return deliver(happening, ["precompact"]);
};
