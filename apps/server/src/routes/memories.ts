import { endpoints } from "@chest/contracts";
import { conversationTurns } from "@chest/core/conversation";
import {
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
  storeStats,
  wholeMemory,
} from "@chest/core/listing";
import type { RouteOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import { TOOLS } from "@chest/core/tools";
import { sessionReplay } from "@chest/core/views";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve, serveOperation, TIME_ZONE_HEADER } from "./define-route.ts";

const INSPECT = "chest_inspect";

/** Operations that list stored memories and facts about them, for the page and for scripts. */
const STORED: readonly RouteOperation<unknown, unknown>[] = [
  listMemories,
  wholeMemory,
  linkGraph,
  listSessions,
  sessionReplay,
  conversationTurns,
  listGaps,
];
/** Operations that list what waits for a member's decision, or is new to the member. */
const WAITING: readonly RouteOperation<unknown, unknown>[] = [
  inboxCounts,
  inboxDeciders,
  inboxQueue,
  noteInbox,
  homeView,
  noteLook,
  digestView,
  storeStats,
];
/** Lists that read dates in the time zone of the client. */
const BY_CLOCK: ReadonlySet<RouteOperation<unknown, unknown>> = new Set([listMemories, listSessions, noteInbox]);

const ZONED_HEADERS = CALLER_HEADERS.extend(TIME_ZONE_HEADER.shape);

/** Lists of memories, one of them whole, and the views, for a page or a script. */
export function memoryRoutes(app: FastifyInstance, pipeline: Pipeline): void {
  const serveList = (list: RouteOperation<unknown, unknown>) =>
    serveOperation(app, pipeline, list, BY_CLOCK.has(list) ? ZONED_HEADERS : CALLER_HEADERS);
  for (const list of STORED) serveList(list);
  serve(
    app,
    endpoints.view,
    async (request, reply) => {
      const asked = { ...Object(request.query), ...Object(request.params) };
      return (await pipeline.execute(INSPECT, asked, callOf(request, reply))) as ViewAnswer;
    },
    { params: VIEW_PARAMS, querystring: VIEW_QUERY, headers: CALLER_HEADERS },
  );
  for (const list of WAITING) serveList(list);
}

type ViewAnswer = z.input<(typeof endpoints.view)["response"]>;

const { view, ...query } = TOOLS.find(({ name }) => name === INSPECT)?.input.shape ?? {};
const VIEW_PARAMS = z.object({ view: view as z.ZodType });
const VIEW_QUERY = z.object(query);
