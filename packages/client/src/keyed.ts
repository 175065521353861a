import { randomUUID } from "node:crypto";
import type { Stage } from "@chest/core/executor";
import { isWrite } from "@chest/core/wraps";

/** Gives every writing call its key, once, outside of the stages that repeat or keep it. */
export const keyed: Stage = (asked, next) =>
  next(isWrite(asked.tool, asked.input) ? { ...asked, call: { idempotencyKey: randomUUID(), ...asked.call } } : asked);
