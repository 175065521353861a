import type { AnyTool } from "../tool.ts";
import { consolidate } from "./consolidate.ts";
import { forget } from "./forget.ts";
import { listEntities } from "./list-entities.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { updateMemory } from "./update-memory.ts";

/** Every tool there is. One more is a file here and a line there. */
export const TOOLS: readonly AnyTool[] = [remember, recall, updateMemory, listEntities, forget, consolidate];
