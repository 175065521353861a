import { endpoints } from "@chest/contracts";
import { type Engine, type HostPorts, inSessionProject, readFields } from "@chest/core";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve } from "./define-route.ts";

const DAY_MS = 86_400_000;

const asked = z.strictObject({
  series: z.enum(["day"]).optional(),
  days: z.coerce.number().int().min(1).max(3660).default(90).describe("How far back a series goes"),
});

/** Route of the activity in the project that the caller works in. */
export function statsRoutes(
  app: FastifyInstance,
  engine: Pick<Engine, "as">,
  { clock }: Pick<HostPorts, "clock">,
): void {
  serve(
    app,
    endpoints.stats,
    async (request, reply) => {
      const { series, days } = readFields(asked, request.query);
      const { memories } = engine.as(await inSessionProject(callOf(request, reply), engine));
      const since = new Date(clock.now().getTime() - days * DAY_MS);
      const { layers } = await memories.overview("here");
      return {
        ok: true as const,
        memories: layers.reduce((sum, layer) => sum + layer.memories, 0),
        ...(series === undefined ? {} : { series: [...(await memories.activity("here", since))] }),
      };
    },
    { querystring: asked, headers: CALLER_HEADERS },
  );
}
