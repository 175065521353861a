import type { AnyTool, FileToolPorts } from "../tool.ts";
import { consolidate } from "./consolidate.ts";
import { context } from "./context.ts";
import { conversation } from "./conversation.ts";
import { forget } from "./forget.ts";
import { inspect } from "./inspect.ts";
import { listEntities } from "./list-entities.ts";
import { readSmart } from "./read-smart.ts";
import { recall } from "./recall.ts";
import { recallFile } from "./recall-file.ts";
import { remember } from "./remember.ts";
import { updateMemory } from "./update-memory.ts";
import { verify } from "./verify.ts";
import { work } from "./work.ts";

/** Tools that run on the agent's machine. */
export const FILE_TOOLS: readonly AnyTool<FileToolPorts>[] = [readSmart];

/** Sets of tools that an agent may be shown. A tool outside of the set can still be called. */
export const TOOL_SETS = ["all", "core"] as const;
export type ToolSet = (typeof TOOL_SETS)[number];

const CORE: readonly AnyTool[] = [
  remember,
  recall,
  recallFile,
  updateMemory,
  listEntities,
  forget,
  consolidate,
  readSmart,
];

/** Whether a tool is among those that a set shows. */
export const isListed = ({ name }: Pick<AnyTool, "name">, set: ToolSet): boolean =>
  set === "all" || CORE.some((tool) => tool.name === name);

/** All tools. To add one, add a file and a line here. */
export const TOOLS: readonly AnyTool[] = [
  remember,
  recall,
  recallFile,
  updateMemory,
  listEntities,
  forget,
  consolidate,
  inspect,
  context,
  verify,
  work,
  conversation,
  ...FILE_TOOLS,
];

export { nameIsTaken, noProjectToMoveTo } from "./refusals.ts";
export { SETTLEMENTS } from "./settle/settle.ts";
export { summed, type VerifyResult } from "./verify.ts";
export { inspect, listEntities, recall, recallFile, remember, updateMemory, verify, work };
