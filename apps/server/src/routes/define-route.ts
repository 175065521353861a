import { type Endpoint, errorEnvelope, type Repeat } from "@chest/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

/** Documentation of every failure. */
export const FAILURE = errorEnvelope.describe("Any failure, with the status of its code");

/** Headers that any write may bring. */
export const WRITE_HEADERS = z.object({
  "Idempotency-Key": z
    .string()
    .max(255)
    .optional()
    .describe("One UUID for each intended write, kept through every attempt"),
});

const REPEATS: Readonly<Record<Repeat, string>> = {
  replayed: "A repeat under its `Idempotency-Key` is given the first answer, and writes nothing.",
  told: "A repeat under its `Idempotency-Key` is refused with `ALREADY_DONE`, and writes nothing: the answer is shown once.",
  harmless: "A repeat does the same again, to the same end.",
};

/** Inputs of a request, for the documentation; the handler reads them. */
interface Takes {
  readonly body?: z.ZodObject;
  readonly querystring?: z.ZodObject;
  readonly params?: z.ZodObject;
}

/** Binds an endpoint to its handler; path, method and access are the endpoint's. */
export function serve<R extends z.ZodType>(
  app: FastifyInstance,
  { method, path, summary, scope, bodyLimit, repeat, response }: Endpoint<R>,
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
      ...(repeat === undefined ? {} : { description: REPEATS[repeat], headers: WRITE_HEADERS, "x-repeat": repeat }),
      ...takes,
      response: { 200: response.describe("Success"), default: FAILURE },
    },
    handler,
  });
}

declare module "fastify" {
  interface FastifySchema {
    /** Scope of a route, for the generated reference; OpenAPI has no field for it. */
    "x-scope"?: string;
    "x-body-limit"?: number;
    "x-repeat"?: Repeat;
  }
}
