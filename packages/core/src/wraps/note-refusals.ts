import { ChestError, type ErrorCode } from "@chest/contracts";
import { isClosedProject } from "../access/project.ts";
import type { AuditLog, Refusal } from "../ports/audit.ts";

const NOTED: ReadonlySet<ErrorCode> = new Set(["UNAUTHORIZED", "FORBIDDEN", "PROTECTED", "RATE_LIMITED"]);

/** Whether an error is a refusal that belongs into the audit log. */
const isRefusal = (error: unknown): error is ChestError =>
  error instanceof ChestError && (NOTED.has(error.code) || isClosedProject(error));

const noted = new WeakSet<ChestError>();

/** Notes a refusal in the audit log, once: an inner stage knows more of the call than the route around it. */
export function noteRefusal(
  log: Pick<AuditLog, "refused"> | undefined,
  error: unknown,
  of: Pick<Refusal, "caller" | "op">,
): void {
  if (!log || !isRefusal(error) || noted.has(error)) return;
  noted.add(error);
  log.refused({ ...of, outcome: error.code });
}
