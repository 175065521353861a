import { ChestError, type Scope } from "@chest/contracts";
import type { Wrap } from "../executor.ts";
import type { AnyTool } from "../tool.ts";

/** The right a tool asks for, by what it declares. */
export const scopeOf = (tool: Pick<AnyTool, "effects">): Scope => (tool.effects.readOnly ? "read" : "write");

/** A tool that writes needs a caller that may. */
export function authorise(tools: readonly AnyTool[]): Wrap {
  const scopes = new Map(tools.map((tool) => [tool.name, scopeOf(tool)]));
  return (next) => ({
    async execute(name, input, call) {
      const scope = scopes.get(name);
      if (scope && !call.caller.scopes.has(scope)) throw lacksScope(scope);
      return next.execute(name, input, call);
    },
  });
}

export function lacksScope(scope: Scope): ChestError {
  return new ChestError("FORBIDDEN", `this token lacks the scope \`${scope}\``, {
    hint: "ask the operator for a token with that scope",
    details: { scope },
  });
}
