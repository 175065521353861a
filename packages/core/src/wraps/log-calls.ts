import { ChestError } from "@chest/contracts";
import type { Executor } from "../executor.ts";

export interface CallLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Logs one line per call: tool, outcome, milliseconds, caller. Never content. */
export const logCalls = (log: CallLog, { execute }: Executor): Executor => ({
  async execute(name, input, call) {
    const startedAt = performance.now();
    let outcome = "ok";
    try {
      return await execute(name, input, call);
    } catch (error) {
      outcome = error instanceof ChestError ? error.code : "INTERNAL_ERROR";
      throw error;
    } finally {
      const ms = Math.round((performance.now() - startedAt) * 10) / 10;
      log.info({ tool: name, outcome, ms, member: call.caller.member.name, requestId: call.requestId }, "tool call");
    }
  },
});
