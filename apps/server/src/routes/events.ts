import { PassThrough } from "node:stream";
import { ChestError, type EventView, endpoints } from "@chest/contracts";
import { type AuditEntry, type Call, type Engine, numeral, readFields, seenEvents } from "@chest/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

export interface EventOptions {
  readonly engine: Pick<Engine, "as" | "audit">;
  /** Is the token, or the sign-in, that this request came with still valid. */
  isValid(request: FastifyRequest): Promise<boolean>;
  readonly everyMs?: number;
}

const EVERY_MS = 1000;
// A connection without a byte for ten seconds is closed.
const BEAT_MS = 5_000;
/** Most that is sent at once, and so the most that one who was away is told. */
const MOST = 500;
const MOST_STREAMS = 256;

const FIELDS = z.strictObject({
  after: numeral(0).optional().describe("Number of the last event that is known"),
});

/** Route of changes as they happen: the audit log's numbers, and of each entry only the memories that this caller may see. */
export function eventRoutes(app: FastifyInstance, { engine, isValid, everyMs = EVERY_MS }: EventOptions): void {
  const open = new Set<PassThrough>();
  app.addHook("preClose", async () => {
    for (const stream of open) stream.end();
  });

  serve(
    app,
    endpoints.events,
    async (request, reply) => {
      const { after } = readFields(FIELDS, request.query);
      const follow = request.headers.accept?.includes("text/event-stream") ?? false;
      const known = after ?? lastEventId(request) ?? (follow ? await engine.audit.newest() : 0);
      const call = callOf(request, reply);
      if (!follow) return readEvents(engine, call, known);
      if (open.size >= MOST_STREAMS) throw tooMany();
      return stream(request, reply, call, known);
    },
    { querystring: FIELDS },
  );

  function stream(request: FastifyRequest, reply: FastifyReply, call: Call, known: number): FastifyReply {
    const out = new PassThrough();
    open.add(out);
    let last = known;
    let quietMs = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(timer);
      open.delete(out);
      out.end();
    };
    const look = async (): Promise<void> => {
      // What ended the token ends the stream; the browser is told so when it asks again.
      if (!(await isValid(request))) return end();
      const found = await readEvents(engine, call, last);
      last = found.last;
      for (const event of found.events)
        out.write(`id: ${event.seq}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`);
      quietMs = found.events.length > 0 ? 0 : quietMs + everyMs;
      if (quietMs >= BEAT_MS) {
        quietMs = 0;
        // The number goes on past what this caller does not see: a resumption begins here.
        out.write(`id: ${last}\nevent: beat\ndata: {}\n\n`);
      }
    };
    const next = async (): Promise<void> => {
      await look().catch(end);
      if (open.has(out)) timer = setTimeout(() => void next(), everyMs);
    };
    reply.raw.once("close", end);
    // A proxy that gathered the answer would hold the events back.
    reply.type("text/event-stream").header("cache-control", "no-store").header("x-accel-buffering", "no");
    out.write(`retry: 2000\nid: ${last}\nevent: beat\ndata: {}\n\n`);
    void next();
    return reply.send(out);
  }
}

/** Events after one that is known, oldest first; of a longer absence the newest. */
async function readEvents(
  { as, audit }: Pick<Engine, "as" | "audit">,
  call: Call,
  after: number,
): Promise<{ readonly events: EventView[]; readonly last: number }> {
  const entries: AuditEntry[] = [];
  for (let before: number | undefined; entries.length < MOST; before = entries.at(-1)?.seq) {
    const page = await audit.list({ limit: PAGE, ...(before === undefined ? {} : { before }) });
    const fresh = page.filter(({ seq }) => seq > after);
    entries.push(...fresh);
    if (fresh.length < PAGE) break;
  }
  const last = Math.max(after, entries[0]?.seq ?? 0);
  return { events: await seenEvents(as(call), entries.reverse()), last };
}

const PAGE = 100;

function lastEventId({ headers }: FastifyRequest): number | undefined {
  const given = headers["last-event-id"];
  return typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : undefined;
}

const tooMany = (): ChestError =>
  new ChestError("UNAVAILABLE", `${MOST_STREAMS} streams of events are open already`, {
    hint: "close some of them, or ask without `Accept: text/event-stream` now and then",
    details: { retry_after_ms: 5000 },
  });
