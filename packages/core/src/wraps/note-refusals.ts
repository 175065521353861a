import { ChestError, type ErrorCode } from "@chest/contracts";
import { isClosedProject } from "../access/project.ts";
import type { Wrap } from "../executor.ts";
import type { AuditLog } from "../ports/audit.ts";

const NOTED: ReadonlySet<ErrorCode> = new Set(["UNAUTHORIZED", "FORBIDDEN", "PROTECTED", "RATE_LIMITED"]);

/** Whether an error is a refusal that belongs into the audit log. */
export const isRefusal = (error: unknown): error is ChestError =>
  error instanceof ChestError && (NOTED.has(error.code) || isClosedProject(error));

/** Records refused calls in the audit log; writes record themselves in their transactions. */
export const noteRefusals =
  (log: Pick<AuditLog, "refused">): Wrap =>
  (next) => ({
    async execute(name, input, call) {
      try {
        return await next.execute(name, input, call);
      } catch (error) {
        if (isRefusal(error)) log.refused({ caller: call.caller, op: name, outcome: error.code });
        throw error;
      }
    },
  });
