import { type Endpoint, errorEnvelope } from "@chest/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";

/** What the documentation says of every failure. */
export const FAILURE = errorEnvelope.describe("Any failure, with the status of its code");

/** What a request brings, for the documentation; the handler reads it. */
interface Takes {
  readonly body?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly params?: z.ZodObject;
}

/** Binds an endpoint to its handler; path, method and access are the endpoint's. */
export function serve<R extends z.ZodType>(
  app: FastifyInstance,
  { method, path, summary, scope, bodyLimit, response }: Endpoint<R>,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<z.input<R> | FastifyReply>,
  takes: Takes = {},
): void {
  app.route({
    method,
    url: path,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { access: scope ?? "open" },
    schema: {
      summary,
      tags: ["backend"],
      ...(scope === undefined ? { security: [] } : {}),
      "x-scope": scope ?? "open",
      ...(bodyLimit === undefined ? {} : { "x-body-limit": bodyLimit }),
      ...takes,
      response: { 200: response.describe("Success"), default: FAILURE },
    },
    handler,
  });
}

declare module "fastify" {
  interface FastifySchema {
    /** What the generated reference says of a route beyond OpenAPI. */
    "x-scope"?: string;
    "x-body-limit"?: number;
  }
}
