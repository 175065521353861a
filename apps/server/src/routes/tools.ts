import { BODY_LIMITS, type ChestError, endpoints } from "@chest/contracts";
import { unknownTool } from "@chest/core/executor";
import type { Pipeline } from "@chest/core/pipeline";
import type { AnyTool } from "@chest/core/tool";
import { scopeOf } from "@chest/core/wraps";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { pathOf } from "../plugins/auth.ts";
import { callOf } from "../plugins/caller.ts";
import { noRoute } from "../plugins/errors.ts";
import type { Spend } from "../plugins/rate-limit.ts";
import { CALLER_HEADERS, FAILURE, TIME_ZONE_HEADER, WRITE_HEADERS } from "./define-route.ts";

export interface ToolOptions {
  readonly tools: readonly AnyTool[];
  readonly pipeline: Pick<Pipeline, "execute">;
  /** Whether the backend embeds what is written; where it does not, clients get the text for that. */
  canEmbed(): Promise<boolean>;
  /** Counts the writing calls of a tool that also reads against the member's budget. */
  readonly writes: Spend;
}

const pathTo = (tool: string): string => endpoints.tool.path.replace(":tool", tool);
const UNDER = pathTo("");

/** Adds one route per tool, so that each has its own scope, limit and documentation. The executor checks the body. */
export function toolRoutes(app: FastifyInstance, { tools, pipeline, canEmbed, writes }: ToolOptions): void {
  for (const tool of tools) {
    const scope = scopeOf(tool);
    app.route({
      method: endpoints.tool.method,
      url: pathTo(tool.name),
      bodyLimit: BODY_LIMITS.tool,
      // A tool that also reads needs the write scope only for some arguments, so the executor checks it.
      config: { access: tool.readsOnly ? "member" : scope },
      schema: {
        summary: tool.title,
        description: tool.description,
        tags: ["tools"],
        "x-scope": tool.readsOnly ? "read or write" : scope,
        "x-body-limit": BODY_LIMITS.tool,
        headers: CALLER_HEADERS.extend(scope === "write" ? WRITE_HEADERS.shape : TIME_ZONE_HEADER.shape),
        ...(scope === "write" ? { "x-repeat": "replayed" as const } : {}),
        // Unknown arguments are accepted, as over MCP, because hosts add some of their own; they have no effect.
        body: tool.input.loose(),
        response: {
          200: z.object({ ok: z.literal(true), result: tool.output }).describe("The tool's answer"),
          default: FAILURE,
        },
      },
      handler: async (request, reply) => {
        const call = {
          ...callOf(request, reply),
          takesText: async () => !(await canEmbed()),
          // Other writes are counted as soon as their headers are there.
          ...(tool.readsOnly ? { spend: () => writes(request) } : {}),
        };
        return { ok: true, result: await pipeline.execute(tool.name, request.body, call) };
      },
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
