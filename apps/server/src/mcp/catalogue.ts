import { join } from "node:path";
import { type Call, type Executor, endAt, throughStages } from "@chest/core/executor";
import type { ResourceReader } from "@chest/core/resources";
import type { AnyTool } from "@chest/core/tool";
import type { ToolSet } from "@chest/core/tools";
import {
  CHAT_VIEW_FILE,
  type Confirm,
  confirmDestructive,
  findChatView,
  INSTRUCTIONS,
  type Surface,
} from "@chest/mcp-server";
import { RELEASE } from "@chest/runtime";
import type { DefectLog } from "../plugins/errors.ts";

/** Tools and resources that an agent is offered at `/mcp`. */
export interface Catalogue {
  readonly tools: readonly AnyTool[];
  readonly toolSet: ToolSet;
  readonly executor: Executor;
  readonly resources: ResourceReader;
  /** Folder of the built page, which also contains the view drawn inside a chat. */
  readonly pageDir: string;
  readonly log: DefectLog;
}

/**
 * Builds the catalogue for one call.
 * @param ask undefined where the client cannot ask its user.
 */
export function surfaceOf(
  { tools, toolSet, executor, resources, pageDir, log }: Catalogue,
  call: Call,
  ask: Confirm | undefined,
  drawsViews?: boolean,
): Surface {
  return {
    tools,
    toolSet,
    executor: ask ? throughStages(tools, endAt(executor), confirmDestructive(ask)) : executor,
    resources,
    // The file is looked up at each call, because in a clone the page is built after the start.
    chatView: () => findChatView([join(pageDir, CHAT_VIEW_FILE)]),
    drawsViews,
    callFor: () => call,
    version: RELEASE,
    instructions: INSTRUCTIONS,
    onDefect: (err, { requestId }) => log.error({ requestId, err }, "request failed"),
  };
}
