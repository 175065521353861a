import type { Scope } from "@chest/contracts";
import { lacksScope } from "../access/refusals.ts";
import type { Wrap } from "../executor.ts";
import { type AnyTool, isObject } from "../tool.ts";

/** The scope that a tool needs, from its declared effects; a single call may need less, see `isWrite`. */
export const scopeOf = (tool: Pick<AnyTool, "effects">): Scope => (tool.effects.readOnly ? "read" : "write");

/** Whether this call of a tool changes anything. */
export const isWrite = ({ effects, readsOnly }: Pick<AnyTool, "effects" | "readsOnly">, input: unknown): boolean =>
  !effects.readOnly && !readsOnly?.(isObject(input) ? input : {});

/** Refuses a call of a writing tool without the scope to write. */
export function authorise(tools: readonly AnyTool[]): Wrap {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (next) => ({
    async execute(name, input, call) {
      const tool = byName.get(name);
      const scope = tool && (isWrite(tool, input) ? "write" : "read");
      if (scope && !call.caller.scopes.has(scope)) throw lacksScope(scope);
      return next.execute(name, input, call);
    },
  });
}
