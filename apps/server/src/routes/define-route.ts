import { type Endpoint, errorEnvelope, type Repeat } from "@chest/contracts";
import type { RouteOperation } from "@chest/core/operation";
import type { Pipeline } from "@chest/core/pipeline";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf, writeCallOf } from "../plugins/caller.ts";

/** Error envelope, documented once for every failure. */
export const FAILURE = errorEnvelope.describe("Any failure, with the status of its code");

/** Header that names the project an agent works in. */
export const PROJECT_HEADER = z.object({
  "X-Chest-Project": z
    .string()
    .optional()
    .describe(
      "Key of the project that the agent works in, like `host/org/repo`, percent-encoded, at most 200 characters of it. Without it a caller reads every project that it may open, and writes for the team",
    ),
});

/** Headers that name a tool caller's project and session. */
export const CALLER_HEADERS = PROJECT_HEADER.extend({
  "X-Chest-Session": z
    .string()
    .max(128)
    .optional()
    .describe(
      "Id of the agent's session, 1 to 128 visible ASCII characters: what it stores is found together, and a `project` that it names is remembered. Without it calls of one client belong together until it pauses for 30 minutes",
    ),
});

/** Header with the time zone in which dates of a request are understood. */
export const TIME_ZONE_HEADER = z.object({
  "X-Chest-Time-Zone": z
    .string()
    .max(64)
    .optional()
    .describe(
      "IANA name of the zone that the client works in, like `Europe/Berlin`: by its clocks a day or `yesterday` is understood. Without it, or with a name that is not known, UTC",
    ),
});

/** Schema of headers for routes that read only the body. */
export const NO_HEADERS = z.object({});

/** Headers that every write accepts. */
export const WRITE_HEADERS = z.object({
  "Idempotency-Key": z
    .string()
    .max(255)
    .optional()
    .describe("One UUID for each intended write, kept through every attempt"),
});

const REPEATS: Readonly<Record<Repeat, string>> = {
  replayed: "A repeat with its `Idempotency-Key` gets the first answer, and writes nothing.",
  told: "A repeat with its `Idempotency-Key` is refused with `ALREADY_DONE`, and writes nothing: the answer is shown once.",
  harmless: "A repeat has the same effect.",
};

/** Inputs of a request, for the documentation only; the handler reads them itself. */
interface Takes {
  readonly body?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly headers?: z.ZodObject;
}

/** Binds an endpoint to its handler; the endpoint defines path, method and access. */
export function serve<R extends z.ZodType>(
  app: FastifyInstance,
  { method, path, summary, scope, bodyLimit, repeat, isLong, response }: Endpoint<R>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<z.input<R> | FastifyReply>,
  { headers, ...takes }: Takes = {},
): void {
  const written = repeat === undefined ? headers : WRITE_HEADERS.extend(headers?.shape ?? {});
  app.route({
    method,
    url: path,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { access: scope ?? "open", ...(isLong && { isLong }) },
    schema: {
      summary,
      tags: ["backend"],
      ...(scope === undefined ? { security: [] } : {}),
      "x-scope": scope ?? "open",
      ...(bodyLimit === undefined ? {} : { "x-body-limit": bodyLimit }),
      ...(repeat === undefined ? {} : { description: REPEATS[repeat], "x-repeat": repeat }),
      ...(written === undefined ? {} : { headers: written }),
      ...takes,
      response: { 200: response.describe("Success"), default: FAILURE },
    },
    handler,
  });
}

/** Serves an operation at its endpoint, over the pipeline that every call passes. */
export function serveOperation<Asked, Answer>(
  app: FastifyInstance,
  pipeline: Pick<Pipeline, "answer">,
  operation: RouteOperation<Asked, Answer>,
  headers: z.ZodObject = operation.isPlaced ? CALLER_HEADERS : PROJECT_HEADER,
): void {
  const { endpoint, params, query: querystring, body } = operation;
  const takes = { ...(params && { params }), ...(querystring && { querystring }), ...(body && { body }), headers };
  serve(
    app,
    endpoint,
    (request, reply) => pipeline.answer(operation, request, callTo(endpoint, request, reply)),
    takes,
  );
}

/** The call of a request; one to an endpoint whose first answer is kept has all of its input with it. */
export const callTo = ({ repeat }: Pick<Endpoint, "repeat">, request: FastifyRequest, reply: FastifyReply) =>
  repeat === "replayed" ? writeCallOf(request, reply) : callOf(request, reply);

declare module "fastify" {
  interface FastifySchema {
    /** Scope of the route, for the generated reference; OpenAPI has no field for it. */
    "x-scope"?: string;
    "x-body-limit"?: number;
    "x-repeat"?: Repeat;
  }
}
