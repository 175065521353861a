import { BODY_LIMITS, type ChestError, endpoints } from "@chest/contracts";
import { type AnyTool, type Executor, scopeOf, unknownTool } from "@chest/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { pathOf } from "../plugins/auth.ts";
import { callOf } from "../plugins/caller.ts";
import { noRoute } from "../plugins/errors.ts";
import { CALLER_HEADERS, FAILURE, WRITE_HEADERS } from "./define-route.ts";

export interface ToolOptions {
  readonly tools: readonly AnyTool[];
  readonly executor: Executor;
}

const pathTo = (tool: string): string => endpoints.tool.path.replace(":tool", tool);
const UNDER = pathTo("");

/** One route a tool, so that each has its own scope, limit and documentation. The body is checked by the executor. */
export function toolRoutes(app: FastifyInstance, { tools, executor }: ToolOptions): void {
  for (const tool of tools) {
    const scope = scopeOf(tool);
    app.route({
      method: endpoints.tool.method,
      url: pathTo(tool.name),
      bodyLimit: BODY_LIMITS.tool,
      config: { access: scope },
      schema: {
        summary: tool.title,
        description: tool.description,
        tags: ["tools"],
        "x-scope": scope,
        "x-body-limit": BODY_LIMITS.tool,
        headers: scope === "write" ? CALLER_HEADERS.extend(WRITE_HEADERS.shape) : CALLER_HEADERS,
        ...(scope === "write" ? { "x-repeat": "replayed" as const } : {}),
        body: tool.input.strict(),
        response: {
          200: z.object({ ok: z.literal(true), result: tool.output }).describe("The tool's answer"),
          default: FAILURE,
        },
      },
      handler: async (request, reply) => ({
        ok: true,
        result: await executor.execute(tool.name, request.body, callOf(request, reply)),
      }),
    });
  }
}

/** Error for a request without a route; for tools, it lists their names. */
export function absentRoute({ method, url }: FastifyRequest, tools: readonly AnyTool[]): ChestError {
  const path = pathOf(url);
  const name = path.startsWith(UNDER) ? path.slice(UNDER.length) : "";
  if (method === endpoints.tool.method && /^[^/]+$/.test(name)) return unknownTool(name, tools);
  return noRoute();
}
