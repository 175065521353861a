import { endpoints } from "@chest/contracts";
import {
  conversationTurns,
  digestView,
  homeView,
  inboxCounts,
  inboxDeciders,
  inboxQueue,
  linkGraph,
  listGaps,
  listMemories,
  listSessions,
  noteInbox,
  noteLook,
  type Pipeline,
  type RouteOperation,
  resource,
  sessionReplay,
  storeStats,
  TOOLS,
  wholeMemory,
} from "@chest/core";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve, serveOperation, TIME_ZONE_HEADER } from "./define-route.ts";

const INSPECT = "chest_inspect";

/** Lists for a page or a script, by the value that answers each. */
const LISTS: readonly RouteOperation<unknown, unknown>[] = [
  listMemories,
  wholeMemory,
  linkGraph,
  listSessions,
  sessionReplay,
  conversationTurns,
  listGaps,
  inboxCounts,
  inboxDeciders,
  inboxQueue,
  noteInbox,
  homeView,
  noteLook,
  digestView,
  storeStats,
  resource,
];
/** Those that read dates by the clocks of the client's zone. */
const BY_CLOCK: ReadonlySet<RouteOperation<unknown, unknown>> = new Set([listMemories, listSessions, noteInbox]);

/** Lists of memories, one of them whole, and the views, for a page or a script. */
export function memoryRoutes(app: FastifyInstance, pipeline: Pipeline): void {
  for (const list of LISTS) {
    const zoned = BY_CLOCK.has(list) ? CALLER_HEADERS.extend(TIME_ZONE_HEADER.shape) : CALLER_HEADERS;
    serveOperation(app, pipeline, list, zoned);
  }
  serve(
    app,
    endpoints.view,
    async (request, reply) => {
      const asked = { ...Object(request.query), ...Object(request.params) };
      return (await pipeline.execute(INSPECT, asked, callOf(request, reply))) as ViewAnswer;
    },
    { params: VIEW_PARAMS, querystring: VIEW_QUERY, headers: CALLER_HEADERS },
  );
}

type ViewAnswer = z.input<(typeof endpoints.view)["response"]>;

const { view, ...query } = TOOLS.find(({ name }) => name === INSPECT)?.input.shape ?? {};
const VIEW_PARAMS = z.object({ view: view as z.ZodType });
const VIEW_QUERY = z.object(query);
