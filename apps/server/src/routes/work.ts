import { endpoints } from "@chest/contracts";
import type { Pipeline } from "@chest/core/pipeline";
import { listedInput, readFields } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve } from "./define-route.ts";

const TOOL = "chest_work";
const LIST_QUERY = z.strictObject({
  closed: z.stringbool().default(false).describe("Closed and dropped items, newest first"),
});

/** Routes of work items, which `chest_work` lists and changes as well. */
export function workRoutes(app: FastifyInstance, pipeline: Pick<Pipeline, "execute">): void {
  const body = listedInput(TOOLS.find(({ name }) => name === TOOL)?.input ?? z.object({}));
  serve(
    app,
    endpoints.listWork,
    async (request, reply) => {
      const { closed } = readFields(LIST_QUERY, request.query);
      return answerOf(await pipeline.execute(TOOL, { action: "list", closed }, callOf(request, reply)));
    },
    { querystring: LIST_QUERY, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.changeWork,
    async (request, reply) => answerOf(await pipeline.execute(TOOL, request.body, callOf(request, reply))),
    { body, headers: CALLER_HEADERS },
  );
}

const answerOf = (answer: Record<string, unknown>) => endpoints.listWork.response.parse(answer);
