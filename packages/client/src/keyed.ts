import { randomUUID } from "node:crypto";
import type { Wrap } from "@chest/core/executor";
import type { AnyTool } from "@chest/core/tool";
import { isWrite } from "@chest/core/wraps";

/** Gives every writing call its key, once, outside of the wraps that repeat or keep it. */
export function keyed(tools: readonly AnyTool[]): Wrap {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (next) => ({
    execute(name, input, call) {
      const tool = byName.get(name);
      return next.execute(name, input, tool && isWrite(tool, input) ? { idempotencyKey: randomUUID(), ...call } : call);
    },
  });
}
