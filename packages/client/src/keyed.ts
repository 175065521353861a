import { randomUUID } from "node:crypto";
import type { AnyTool, Wrap } from "@chest/core";

/** Gives every writing call its key, once, outside of whatever repeats or keeps it. */
export function keyed(tools: readonly AnyTool[]): Wrap {
  const writing = new Set(tools.filter((tool) => !tool.effects.readOnly).map((tool) => tool.name));
  return (next) => ({
    execute: (name, input, call) =>
      next.execute(name, input, writing.has(name) ? { idempotencyKey: randomUUID(), ...call } : call),
  });
}
