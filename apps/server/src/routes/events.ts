import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, endpoints } from "@chest/contracts";
import { SHARED } from "@chest/core/access";
import type { Call } from "@chest/core/executor";
import { CHANGED, type Clock, type Engine } from "@chest/core/ports";
import {
  EVENT_FIELDS,
  type EventCursors,
  type EventFilter,
  openEventCursors,
  readEventQuery,
  seenEvents,
  type VisibleEvent,
} from "@chest/core/webhooks";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { callOf } from "../plugins/caller.ts";
import { requesterOf } from "../plugins/rate-limit.ts";
import { openStreams } from "../plugins/streams.ts";
import { serve } from "./define-route.ts";

export interface EventOptions {
  readonly engine: Pick<Engine, "as" | "audit" | "signals" | "authorizations">;
  /** Tells whether the token or sign-in of this request is still valid. */
  isValid(request: FastifyRequest): Promise<boolean>;
  readonly clock: Clock;
  readonly everyMs?: number;
}

const EVERY_MS = 1000;
// A connection that carries no byte for ten seconds is closed.
const BEAT_MS = 5_000;
/** Most log entries per read, and most events per answer. */
const PAGE = 200;
/** Most log entries that are searched for events that the caller may see. */
const MOST_LOOKED = 20_000;
const MOST_STREAMS = 256;
/** Most open streams of one member, so that slots remain for others. */
const MOST_OF_ONE = 32;
const RETRY_MS = 5000;

/**
 * Route of changes as they happen. For each entry of the audit log it names only the memories that this caller may see.
 */
export function eventRoutes(app: FastifyInstance, { engine, isValid, clock, everyMs = EVERY_MS }: EventOptions): void {
  const open = new Set<PassThrough>();
  const cursorsOf = openEventCursors(engine.authorizations);
  const byMember = openStreams(MOST_OF_ONE, tooManyOfOne);
  let changed = Promise.withResolvers<void>();
  const endHearing = engine.signals?.hear((text) => {
    if (text !== CHANGED) return;
    changed.resolve();
    changed = Promise.withResolvers();
  });
  app.addHook("preClose", async () => {
    endHearing?.();
    for (const stream of open) stream.end();
  });

  serve(
    app,
    endpoints.events,
    async (request, reply) => {
      const follow = request.headers.accept?.includes("text/event-stream") ?? false;
      const call = callOf(request, reply);
      const { after, filter } = readEventQuery(request.query, { now: clock.now(), caller: call.caller });
      const log = { as: engine.as, audit: engine.audit, filter };
      const cursors = await cursorsOf(call.caller.member?.id ?? SHARED.id);
      const value = after ?? lastEventId(request);
      const known = value === undefined ? undefined : placeOf(value, cursors);
      if (after !== undefined && known === undefined) throw noCursor();
      if (!follow) {
        const { events, last } =
          known === undefined ? await newestEvents(log, call, PAGE) : await eventsAfter(log, call, known);
        return { events: events.map((event) => viewOf(event, cursors)), last: cursors.seal(last) };
      }
      if (open.size >= MOST_STREAMS) throw tooMany();
      const giveBack = byMember.take(requesterOf(request));
      reply.raw.once("close", giveBack);
      return stream(request, reply, call, { log, cursors, known });
    },
    { querystring: EVENT_FIELDS },
  );

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    call: Call,
    { log, cursors, known }: { readonly log: Log; readonly cursors: EventCursors; readonly known: number | undefined },
  ): Promise<FastifyReply> {
    const out = new PassThrough();
    open.add(out);
    // Without a cursor the stream starts at the newest entry. The cursor sent to the caller names its newest visible
    // event, so that hidden entries leave no trace in it.
    let looked = known ?? (await engine.audit.newest());
    let lastSent = known ?? (await newestEvents(log, call, 1)).last;
    const ended = Promise.withResolvers<void>();
    const beat = () => out.write(`id: ${cursors.seal(lastSent)}\nevent: beat\ndata: {}\n\n`);
    // A separate timer sends heartbeats, so hidden changes do not shift them.
    const beating = setInterval(beat, BEAT_MS).unref();
    const end = () => {
      clearInterval(beating);
      ended.resolve();
      open.delete(out);
      out.end();
    };
    /** Sends the events of one page. @returns whether more pages wait. */
    const look = async (): Promise<boolean> => {
      const found = await pageAfter(log, call, looked);
      looked = found.looked;
      for (const event of found.events) {
        lastSent = event.seq;
        const view = viewOf(event, cursors);
        out.write(`id: ${view.seq}\nevent: change\ndata: ${JSON.stringify(view)}\n\n`);
      }
      // A slow reader delays only its own events, and at most one page of them is held in memory.
      if (out.writableNeedDrain) await Promise.race([once(out, "drain"), ended.promise]);
      return found.hasMore;
    };
    const follow = async (): Promise<void> => {
      // A revoked token ends the stream; the browser learns the reason when it reconnects.
      while (open.has(out) && (await isValid(request))) {
        const { promise } = changed;
        if (await look()) continue;
        const quiet = new AbortController();
        await Promise.race([ended.promise, promise, sleep(everyMs, undefined, quiet).catch(() => undefined)]);
        quiet.abort();
      }
      end();
    };
    reply.raw.once("close", end);
    // A buffering proxy would delay the events.
    reply.type("text/event-stream").header("cache-control", "no-store").header("x-accel-buffering", "no");
    out.write(`retry: 2000\nid: ${cursors.seal(lastSent)}\nevent: beat\ndata: {}\n\n`);
    void follow().catch(end);
    return reply.send(out);
  }
}

/** Log, and the changes in it that are asked for. */
interface Log extends Pick<Engine, "as" | "audit"> {
  readonly filter: EventFilter;
}

const viewOf = ({ seq, ...event }: VisibleEvent, cursors: EventCursors) => ({ seq: cursors.seal(seq), ...event });

/**
 * Reads one page of the log after a sequence number, oldest first, with those of its events that the caller may see.
 */
async function pageAfter({ as, audit, filter: { project, ...filter } }: Log, call: Call, known: number) {
  // Above this number, an entry with a lower number may still be committed, so the page ends here.
  const newest = await audit.newest();
  const page = known < newest ? await audit.list({ ...filter, after: known, before: newest + 1, limit: PAGE }) : [];
  const hasMore = page.length === PAGE;
  const looked = hasMore ? (page.at(-1)?.seq ?? known) : Math.max(known, newest);
  return { events: await seenEvents(as(call), page, project), looked, hasMore };
}

/**
 * Reads the events after a known one, oldest first. Hidden entries do not count towards the page, and the next request
 * continues after the last visible event. It continues further on only where very many hidden entries follow.
 */
async function eventsAfter(log: Log, call: Call, known: number) {
  const events: VisibleEvent[] = [];
  let at = known;
  for (let entries = 0; events.length < PAGE && entries < MOST_LOOKED; entries += PAGE) {
    const page = await pageAfter(log, call, at);
    events.push(...page.events);
    at = page.looked;
    if (!page.hasMore) return { events: events.slice(0, PAGE), last: events.slice(0, PAGE).at(-1)?.seq ?? known };
  }
  const value = events.slice(0, PAGE);
  return { events: value, last: value.at(-1)?.seq ?? at };
}

/** Reads the newest events that the caller may see, oldest first. Hidden entries do not count towards the page. */
async function newestEvents({ as, audit, filter: { project, ...filter } }: Log, call: Call, most: number) {
  const newest = await audit.newest();
  const store = as(call);
  let events: VisibleEvent[] = [];
  for (let before = newest + 1, looked = 0; events.length < most && looked < MOST_LOOKED; looked += PAGE) {
    const page = await audit.list({ ...filter, before, limit: PAGE });
    events = [...(await seenEvents(store, page.toReversed(), project)), ...events];
    before = page.at(-1)?.seq ?? 0;
    if (page.length < PAGE) break;
  }
  return { events: events.slice(-most), last: events.at(-1)?.seq ?? 0 };
}

/** Reads a cursor, or a plain sequence number as earlier releases gave it. */
const placeOf = (value: string, cursors: EventCursors): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : cursors.open(value);

const noCursor = (): ChestError =>
  new ChestError("VALIDATION_ERROR", "`after` is no cursor of this member", {
    hint: "use a `last` or `seq` that this backend gave to the same member, or leave it out",
    details: { issues: [{ path: "after", message: "is no cursor of this member" }] },
  });

/** An unreadable cursor is ignored, because a browser cannot correct it. */
function lastEventId({ headers }: FastifyRequest): string | undefined {
  const value = headers["last-event-id"];
  return typeof value === "string" ? value : undefined;
}

const CLOSE_SOME = "close some of them, or ask without `Accept: text/event-stream` now and then";

const tooMany = (): ChestError =>
  new ChestError("UNAVAILABLE", `${MOST_STREAMS} streams of events are open already`, {
    hint: CLOSE_SOME,
    details: { retry_after_ms: RETRY_MS },
  });

const tooManyOfOne = (most: number): ChestError =>
  new ChestError("RATE_LIMITED", `${most} streams of events are open already: the most that one member may have`, {
    hint: CLOSE_SOME,
    details: { limit: most, retry_after_ms: RETRY_MS },
  });
