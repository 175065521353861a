import type { AnyTool, Call, Executor, ResourceReader, ToolSet } from "@chest/core";
import { type Confirm, confirmDestructive, INSTRUCTIONS, type Surface } from "@chest/mcp-server";
import { RELEASE } from "@chest/runtime";
import type { DefectLog } from "../plugins/errors.ts";

/** Everything that an agent is offered at `/mcp`. */
export interface Catalogue {
  readonly tools: readonly AnyTool[];
  readonly toolSet: ToolSet;
  readonly executor: Executor;
  readonly resources: ResourceReader;
  readonly log: DefectLog;
}

/** The catalogue for one call. @param ask undefined where nobody can be asked. */
export function surfaceOf(
  { tools, toolSet, executor, resources, log }: Catalogue,
  call: Call,
  ask: Confirm | undefined,
): Surface {
  return {
    tools,
    toolSet,
    executor: ask ? confirmDestructive(tools, ask)(executor) : executor,
    resources,
    callFor: () => call,
    version: RELEASE,
    instructions: INSTRUCTIONS,
    onDefect: (err, { requestId }) => log.error({ requestId, err }, "request failed"),
  };
}
