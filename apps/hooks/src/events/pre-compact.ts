import { noteContextEnd } from "@chest/runtime/context-ends";
import type { EventHandler } from "../hook-event.ts";
import { deliver } from "../session/deliver.ts";

export const preCompact: EventHandler = async (eventContext) => {
  noteContextEnd(eventContext.dataDir, eventContext.input.cwd);
  return deliver(eventContext, ["precompact"]);
};
