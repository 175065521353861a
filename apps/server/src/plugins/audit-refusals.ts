import { endpoints } from "@chest/contracts";
import type { AuditLog } from "@chest/core/ports";
import { isRefusal } from "@chest/core/wraps";
import type { FastifyInstance } from "fastify";

const TOOLS = endpoints.tool.path.replace(":tool", "");

/**
 * Records requests that are refused before they reach a tool in the audit log; the executor records refusals by tools.
 */
export function addRefusals(app: FastifyInstance, log: Pick<AuditLog, "refused">): void {
  app.addHook("onError", (request, _reply, error, done) => {
    if (isRefusal(error) && !request.isServed) {
      const { url = "none" } = request.routeOptions;
      const op = url.startsWith(TOOLS) ? url.slice(TOOLS.length) : `${request.method} ${url}`;
      log.refused({ caller: request.caller, op, outcome: error.code });
    }
    done();
  });
  app.addHook("preHandler", (request, _reply, done) => {
    request.isServed = request.routeOptions.url?.startsWith(TOOLS) ?? false;
    done();
  });
  app.decorateRequest("isServed", false);
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set once the executor has the call; it then reports refusals itself. */
    isServed: boolean;
  }
}
