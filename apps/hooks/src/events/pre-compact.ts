import { noteContextEnd } from "@chest/runtime/context-ends";
import { deliver } from "../deliver.ts";
import type { Act } from "../happening.ts";

export const preCompact: Act = async (happening) => {
  noteContextEnd(happening.dataDir, happening.input.cwd);
  return deliver(happening, ["precompact"]);
};
