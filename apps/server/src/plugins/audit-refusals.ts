import { endpoints } from "@chest/contracts";
import type { AuditLog } from "@chest/core/ports";
import { noteRefusal } from "@chest/core/wraps";
import type { FastifyInstance } from "fastify";

const TOOLS = endpoints.tool.path.replace(":tool", "");

/** Notes refused requests in the audit log, as far as no stage further in has noted them already. */
export function addRefusals(app: FastifyInstance, log: Pick<AuditLog, "refused">): void {
  app.addHook("onError", (request, _reply, error, done) => {
    const { url = "none" } = request.routeOptions;
    const op = url.startsWith(TOOLS) ? url.slice(TOOLS.length) : `${request.method} ${url}`;
    noteRefusal(log, error, { caller: request.caller, op });
    done();
  });
}
