import { endpoints } from "@chest/contracts";
import type { Engine } from "@chest/core/ports";
import { localResources } from "@chest/core/resources";
import { readFields } from "@chest/core/tool";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve } from "./define-route.ts";

const asked = z.strictObject({ uri: z.string().min(1).max(4096) });

/** Routes that serve MCP resources to clients of this backend. */
export function resourceRoutes(app: FastifyInstance, engine: Pick<Engine, "as" | "access">): void {
  const resources = localResources(engine);
  serve(
    app,
    endpoints.resource,
    async (request, reply) => {
      const { uri } = readFields(asked, request.query);
      return resources.read(uri, callOf(request, reply));
    },
    { querystring: asked, headers: CALLER_HEADERS },
  );
}
