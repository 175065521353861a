import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { ChestError, endpoints } from "@chest/contracts";
import { type Call, CHANGED, type Engine, numeral, readFields, SHARED, seenEvents } from "@chest/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { asker } from "../plugins/rate-limit.ts";
import { openStreams } from "../plugins/streams.ts";
import { serve } from "./define-route.ts";

export interface EventOptions {
  readonly engine: Pick<Engine, "as" | "audit" | "signals">;
  /** Whether the token or sign-in of this request is still valid. */
  isValid(request: FastifyRequest): Promise<boolean>;
  readonly everyMs?: number;
}

const EVERY_MS = 1000;
// A connection without a byte for ten seconds is closed.
const BEAT_MS = 5_000;
/** Most that is looked through at once; who asks on is told the next. */
const PAGE = 200;
/** Entries of the log that are looked through for the newest events of a caller. */
const MOST_LOOKED = 20_000;
const MOST_STREAMS = 256;
/** Share of one member: others are to have theirs as well. */
const MOST_OF_ONE = 32;
const RETRY_MS = 5000;

const FIELDS = z.strictObject({
  after: numeral(0).optional().describe("Number of the last event that is known"),
});

/** Route of changes as they happen: the audit log's numbers, and of each entry only the memories that this caller may see. */
export function eventRoutes(app: FastifyInstance, { engine, isValid, everyMs = EVERY_MS }: EventOptions): void {
  const open = new Set<PassThrough>();
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
      const { after } = readFields(FIELDS, request.query);
      const follow = request.headers.accept?.includes("text/event-stream") ?? false;
      const known = after ?? lastEventId(request) ?? (follow ? await engine.audit.newest() : undefined);
      const call = callOf(request, reply);
      if (!follow) {
        const { events, last } =
          known === undefined ? await newestEvents(engine, call) : await eventsAfter(engine, call, known);
        return { events, last };
      }
      if (open.size >= MOST_STREAMS) throw tooMany();
      const giveBack = byMember.take(holder(request));
      reply.raw.once("close", giveBack);
      return stream(request, reply, call, known ?? 0);
    },
    { querystring: FIELDS },
  );

  function stream(request: FastifyRequest, reply: FastifyReply, call: Call, known: number): FastifyReply {
    const out = new PassThrough();
    open.add(out);
    let last = known;
    let beatAt = Date.now() + BEAT_MS;
    const ended = Promise.withResolvers<void>();
    const end = () => {
      ended.resolve();
      open.delete(out);
      out.end();
    };
    /** @returns whether there is more to be told right away. */
    const look = async (): Promise<boolean> => {
      const found = await eventsAfter(engine, call, last);
      last = found.last;
      for (const event of found.events)
        out.write(`id: ${event.seq}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`);
      // A slow reader waits with its own events: no more than one page of them is held for it.
      if (out.writableNeedDrain) await Promise.race([once(out, "drain"), ended.promise]);
      if (found.events.length > 0) beatAt = Date.now() + BEAT_MS;
      if (Date.now() >= beatAt) {
        beatAt = Date.now() + BEAT_MS;
        // The number goes on past what this caller does not see: a resumption begins here.
        out.write(`id: ${last}\nevent: beat\ndata: {}\n\n`);
      }
      return found.hasMore;
    };
    const follow = async (): Promise<void> => {
      // A revoked token ends the stream; the browser learns why when it asks again.
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
    // A proxy that gathered the answer would hold the events back.
    reply.type("text/event-stream").header("cache-control", "no-store").header("x-accel-buffering", "no");
    out.write(`retry: 2000\nid: ${last}\nevent: beat\ndata: {}\n\n`);
    void follow().catch(end);
    return reply.send(out);
  }
}

type Log = Pick<Engine, "as" | "audit">;
type SeenEvent = Awaited<ReturnType<typeof seenEvents>>[number];

/** Events after one that is known, oldest first. */
async function eventsAfter({ as, audit }: Log, call: Call, known: number) {
  // Beyond it a lower number may still come after a higher one.
  const newest = await audit.newest();
  const page = known < newest ? await audit.list({ after: known, before: newest + 1, limit: PAGE }) : [];
  const hasMore = page.length === PAGE;
  const last = hasMore ? (page.at(-1)?.seq ?? known) : Math.max(known, newest);
  return { events: await seenEvents(as(call), page), last, hasMore };
}

/** The newest events that this caller sees, oldest of them first: those that it does not see take no place. */
async function newestEvents({ as, audit }: Log, call: Call) {
  const last = await audit.newest();
  const store = as(call);
  let events: SeenEvent[] = [];
  for (let before = last + 1, looked = 0; events.length < PAGE && looked < MOST_LOOKED; looked += PAGE) {
    const page = await audit.list({ before, limit: PAGE });
    events = [...(await seenEvents(store, page.toReversed())), ...events];
    before = page.at(-1)?.seq ?? 0;
    if (page.length < PAGE) break;
  }
  return { events: events.slice(-PAGE), last };
}

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const given = headers["last-event-id"];
  return typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

/** A member, whichever of its tokens asks; where many hold one token, as for the limits of requests. */
const holder = (request: FastifyRequest): string => {
  const { caller } = request;
  return caller?.member && caller.member.id !== SHARED.id ? `member ${caller.member.id}` : asker(request);
};

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
