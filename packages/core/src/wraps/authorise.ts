import type { Scope } from "@chest/contracts";
import type { Caller } from "../access/caller.ts";
import { lacksScope } from "../access/refusals.ts";
import { type AnyTool, isObject } from "../tool.ts";

/** The scope that a tool needs, from its declared effects; a single call may need less, see `isWrite`. */
export const scopeOf = (tool: Pick<AnyTool, "effects">): Scope => (tool.effects.readOnly ? "read" : "write");

/** Whether this call of a tool changes anything. */
export const isWrite = ({ effects, readsOnly }: Pick<AnyTool, "effects" | "readsOnly">, input: unknown): boolean =>
  !effects.readOnly && !readsOnly?.(isObject(input) ? input : {});

/** Refuses a caller without the scope. */
export function authorise(scope: Scope | undefined, { scopes }: Pick<Caller, "scopes">): void {
  if (scope !== undefined && !scopes.has(scope)) throw lacksScope(scope);
}
