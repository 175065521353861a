import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import {
  ChestError,
  HEADERS,
  isIdempotencyKey,
  isSessionId,
  readClientHeader,
  readProjectHeader,
  type StatedClient,
} from "@chest/contracts";
import { type Call, type Caller, UNSTATED_CLIENT } from "@chest/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Identity } from "./login.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set where the route wants a token. */
    caller: Caller | undefined;
  }
}

/** What a header says once; a repeated one comes as a list, or joined by Node, and then says nothing. */
const single = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

export const statedClient = (header: string | string[] | undefined): StatedClient | undefined =>
  readClientHeader(single(header));

/** Whoever sent these headers: member and rights come from the token, the rest is only stated. */
export function readCaller(headers: IncomingHttpHeaders, identity: Identity): Caller {
  const stated = statedClient(headers[HEADERS.client]);
  const session = single(headers[HEADERS.session]);
  return {
    ...identity,
    project: readProjectHeader(single(headers[HEADERS.project])),
    client: {
      ...(stated ? { name: stated.name, version: stated.version, machine: stated.machine } : UNSTATED_CLIENT),
      session: session !== undefined && isSessionId(session) ? session : undefined,
    },
  };
}

/** A request as the call of a tool. */
export function callOf(request: FastifyRequest, reply: FastifyReply): Call {
  const { caller } = request;
  if (!caller) throw new Error("an open route has no caller");
  return {
    caller,
    requestId: request.id,
    signal: signalOf(reply),
    idempotencyKey: readIdempotencyKey(request.headers[HEADERS.idempotencyKey]),
    onReplay: () => {
      reply.header(HEADERS.idempotencyReplayed, "true");
    },
  };
}

/** A request that writes: what its key stands for is its route with all that it asks. */
export function writeCallOf(request: FastifyRequest, reply: FastifyReply): Call {
  const { method, routeOptions, params, query, body } = request;
  // Lines come as they are, up to 50 MB of them.
  const asked = Buffer.isBuffer(body) ? createHash("sha256").update(body).digest("hex") : body;
  return {
    ...callOf(request, reply),
    request: { tool: `${method} ${routeOptions.url}`, input: { params, query, body: asked } },
  };
}

/** Aborts when the client leaves before its answer. Fastify's own signal does so as soon as the body is read. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) left.abort();
  });
  return left.signal;
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === "string" && isIdempotencyKey(header)) return header;
  throw new ChestError("VALIDATION_ERROR", "`Idempotency-Key` is not 1 to 255 visible ASCII characters", {
    hint: "send one UUID for each intended write",
    details: { issues: [{ path: "Idempotency-Key", message: "is not 1 to 255 visible ASCII characters" }] },
  });
}
