import { endpoints } from "@chest/contracts";
import { inSessionProject } from "@chest/core/access";
import { CONVERSATION_FIELDS, conversationTurns } from "@chest/core/conversation";
import type { Executor, HostPorts } from "@chest/core/executor";
import {
  DIGEST_FIELDS,
  digestView,
  GAP_FIELDS,
  GRAPH_FIELDS,
  HOME_FIELDS,
  homeView,
  INBOX_FIELDS,
  INBOX_NOTE_FIELDS,
  inboxCounts,
  inboxDeciders,
  inboxQueue,
  LIST_FIELDS,
  linkGraph,
  listGaps,
  listMemories,
  listSessions,
  noteInbox,
  noteLook,
  SESSION_FIELDS,
  wholeMemory,
} from "@chest/core/listing";
import type { Engine } from "@chest/core/ports";
import { readFields } from "@chest/core/tool";
import { readReach, TOOLS } from "@chest/core/tools";
import { REPLAY_FIELDS, sessionReplay } from "@chest/core/views";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf, writeCallOf } from "../plugins/caller.ts";
import { CALLER_HEADERS, serve, TIME_ZONE_HEADER } from "./define-route.ts";

const INSPECT = "chest_inspect";
const DAY_MS = 86_400_000;

export interface MemoryOptions {
  readonly engine: Pick<Engine, "as">;
  readonly executor: Executor;
  readonly ports: HostPorts;
  /** Questions that found nothing are kept. */
  readonly keepsGaps: boolean;
}

/** Lists of memories, one of them whole, and the views, for a page or a script. */
export function memoryRoutes(app: FastifyInstance, { engine, executor, ports, keepsGaps }: MemoryOptions): void {
  const { clock } = ports;
  const storeOf = async (request: FastifyRequest, reply: FastifyReply) =>
    engine.as(await inSessionProject(callOf(request, reply), engine));
  const inspect = (query: unknown, view: unknown, request: FastifyRequest, reply: FastifyReply) =>
    executor.execute(INSPECT, { ...Object(query), view }, callOf(request, reply));

  serve(
    app,
    endpoints.listMemories,
    async (request, reply) =>
      listMemories(request.query, await storeOf(request, reply), {
        now: clock.now(),
        timeZone: request.caller?.timeZone,
      }),
    { querystring: LIST_FIELDS.list, headers: CALLER_HEADERS.extend(TIME_ZONE_HEADER.shape) },
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
  serve(app, endpoints.memoryGraph, async (request, reply) => linkGraph(request, await storeOf(request, reply)), {
    params: LIST_FIELDS.one,
    querystring: GRAPH_FIELDS,
    headers: CALLER_HEADERS,
  });
  serve(
    app,
    endpoints.listSessions,
    async (request, reply) =>
      listSessions(request.query, await storeOf(request, reply), {
        now: clock.now(),
        timeZone: request.caller?.timeZone,
      }),
    { querystring: SESSION_FIELDS, headers: CALLER_HEADERS.extend(TIME_ZONE_HEADER.shape) },
  );
  serve(app, endpoints.session, async (request, reply) => sessionReplay(request, await storeOf(request, reply)), {
    params: REPLAY_FIELDS.params,
    querystring: REPLAY_FIELDS.query,
    headers: CALLER_HEADERS,
  });
  serve(
    app,
    endpoints.conversation,
    async (request, reply) => conversationTurns(request, await storeOf(request, reply)),
    { params: CONVERSATION_FIELDS.params, querystring: CONVERSATION_FIELDS.query, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.listGaps,
    async (request, reply) => ({
      ok: true as const,
      is_kept: keepsGaps,
      gaps: await listGaps(request.query, await storeOf(request, reply)),
    }),
    { querystring: GAP_FIELDS, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.view,
    async (request, reply) => (await inspect(request.query, Object(request.params).view, request, reply)) as ViewAnswer,
    { params: VIEW_PARAMS, querystring: VIEW_QUERY, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.inbox,
    async (request, reply) => ({
      ok: true as const,
      counts: await inboxCounts(request.query, await storeOf(request, reply)),
    }),
    { querystring: INBOX_FIELDS.counts, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.inboxDeciders,
    async (request, reply) => inboxDeciders(request.query, await storeOf(request, reply)),
    { querystring: z.strictObject(INBOX_NOTE_FIELDS.deciders.shape), headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.inboxQueue,
    async (request, reply) => {
      const { caller, signal } = callOf(request, reply);
      return inboxQueue(request, { ...ports, store: await storeOf(request, reply), signal, caller });
    },
    { params: INBOX_FIELDS.params, querystring: INBOX_FIELDS.queue, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.noteInbox,
    async (request, reply) => {
      const call = await inSessionProject(writeCallOf(request, reply), engine);
      return noteInbox(request.body, engine.as(call), { clock, caller: call.caller });
    },
    { body: INBOX_NOTE_FIELDS.note, headers: CALLER_HEADERS.extend(TIME_ZONE_HEADER.shape) },
  );
  serve(
    app,
    endpoints.home,
    async (request, reply) => {
      const { caller } = callOf(request, reply);
      return homeView(request.query, await storeOf(request, reply), { caller, clock, keepsGaps });
    },
    { querystring: HOME_FIELDS.read, headers: CALLER_HEADERS },
  );
  serve(app, endpoints.look, async (request, reply) => noteLook(request.body, await storeOf(request, reply), clock), {
    body: HOME_FIELDS.look,
    headers: CALLER_HEADERS,
  });
  serve(
    app,
    endpoints.digest,
    async (request, reply) => {
      const { caller } = callOf(request, reply);
      return digestView(request.query, await storeOf(request, reply), { caller, clock, keepsGaps });
    },
    { querystring: DIGEST_FIELDS, headers: CALLER_HEADERS },
  );
  serve(
    app,
    endpoints.stats,
    async (request, reply) => {
      const { series, days, ...query } = readFields(STATS_QUERY, request.query);
      const { items } = (await inspect(query, "stats", request, reply)) as ViewAnswer;
      const stats = items[0] as { memories: number };
      if (series === undefined) return { ok: true as const, stats };
      const { memories, listings } = await storeOf(request, reply);
      const since = new Date(clock.now().getTime() - days * DAY_MS);
      const reach = readReach(query.project as string | undefined);
      const [made, opened] = [await memories.activity(reach, since), await listings.openings(reach, since)];
      return { ok: true as const, stats, series: byDay(made, opened) };
    },
    { querystring: STATS_QUERY, headers: CALLER_HEADERS },
  );
}

/** Joins two counts per day; a day with only one of them gets zero for the other. */
function byDay(
  made: readonly { readonly day: string; readonly memories: number }[],
  opened: readonly { readonly day: string; readonly openings: number }[],
) {
  const memories = new Map(made.map(({ day, memories: count }) => [day, count]));
  const openings = new Map(opened.map(({ day, openings: count }) => [day, count]));
  const days = [...new Set([...memories.keys(), ...openings.keys()])].sort();
  return days.map((day) => ({ day, memories: memories.get(day) ?? 0, openings: openings.get(day) ?? 0 }));
}

type ViewAnswer = z.input<(typeof endpoints.view)["response"]>;

const { view, ...query } = TOOLS.find(({ name }) => name === INSPECT)?.input.shape ?? {};
const VIEW_PARAMS = z.object({ view: view as z.ZodType });
const VIEW_QUERY = z.object(query);
const STATS_QUERY = z.strictObject({
  project: query.project as z.ZodType,
  series: z.enum(["day"]).optional(),
  days: z.coerce.number().int().min(1).max(3660).default(90).describe("How far back a series goes"),
});
