import { endpoints } from "@chest/contracts";
import {
  type Engine,
  type Executor,
  inSessionProject,
  LIST_FIELDS,
  listMemories,
  TOOLS,
  wholeMemory,
} from "@chest/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve } from "./define-route.ts";

const INSPECT = "chest_inspect";

export interface MemoryOptions {
  readonly engine: Pick<Engine, "as">;
  readonly executor: Executor;
}

/** Lists of memories, one of them whole, and the views, for a page or a script. */
export function memoryRoutes(app: FastifyInstance, { engine, executor }: MemoryOptions): void {
  const storeOf = async (request: FastifyRequest, reply: FastifyReply) =>
    engine.as(await inSessionProject(callOf(request, reply), engine));
  const inspect = (request: FastifyRequest, reply: FastifyReply, view: unknown) =>
    executor.execute(INSPECT, { ...Object(request.query), view }, callOf(request, reply));

  serve(
    app,
    endpoints.listMemories,
    async (request, reply) => listMemories(request.query, await storeOf(request, reply)),
    { querystring: LIST_FIELDS.list, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.memory,
    async (request, reply) => wholeMemory(request.params, await storeOf(request, reply), callOf(request, reply).caller),
    {
      params: LIST_FIELDS.one,
      headers: CALLER_HEADERS,
    },
  );
  serve(
    app,
    endpoints.view,
    async (request, reply) => (await inspect(request, reply, Object(request.params).view)) as ViewAnswer,
    { params: VIEW_PARAMS, querystring: VIEW_QUERY, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.stats,
    async (request, reply) => {
      const { items } = (await inspect(request, reply, "stats")) as ViewAnswer;
      return { ok: true as const, stats: items[0] as { memories: number } };
    },
    { querystring: STATS_QUERY, headers: CALLER_HEADERS },
  );
}

type ViewAnswer = z.input<(typeof endpoints.view)["response"]>;

const { view, ...query } = TOOLS.find(({ name }) => name === INSPECT)?.input.shape ?? {};
const VIEW_PARAMS = z.object({ view: view as z.ZodType });
const VIEW_QUERY = z.object(query);
const STATS_QUERY = z.object({ project: query.project as z.ZodType });
