import { BODY_LIMITS, ChestError } from "@chest/contracts";
import { type AnyTool, type Call, type Executor, type ResourceReader, scopeOf } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import { type Confirm, confirmDestructive, createMcpServer, elicitConfirm, INSTRUCTIONS } from "@chest/surface";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { JSONRPCResponseSchema } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf } from "../caller.ts";
import { exchange } from "../mcp/exchange.ts";
import { offersQuestions, sessionIdFor } from "../mcp/offers.ts";
import { openQuestions } from "../mcp/questions.ts";
import { type DefectLog, sendError } from "../plugins/errors.ts";
import type { Spend } from "../plugins/rate-limit.ts";
import { FAILURE, WRITE_HEADERS } from "../serve.ts";
import type { Timeouts } from "../timeouts.ts";

const PATH = "/mcp";
const SESSION = "mcp-session-id";

const RPC_FAILURE = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

export interface McpOptions {
  /** A server for one request, which ends with it. */
  serverFor(call: Call, canBeAsked: boolean): Server;
  readonly origins: readonly string[];
  /** Spent by a call of a tool that writes. */
  readonly writes: Spend;
  readonly tools: readonly AnyTool[];
  readonly timeouts: Pick<Timeouts, "connectionMs">;
}

/** The catalogue's server for each request at `/mcp`. */
export function catalogueServer(
  tools: readonly AnyTool[],
  executor: Executor,
  resources: ResourceReader,
  log: DefectLog,
): McpOptions["serverFor"] {
  return (call, canBeAsked) => {
    const ask: Confirm = (question, signal) => elicitConfirm(server, question, signal);
    const server = createMcpServer({
      tools,
      executor: canBeAsked ? confirmDestructive(tools, ask)(executor) : executor,
      resources,
      callFor: () => call,
      version: RELEASE,
      instructions: INSTRUCTIONS,
      onDefect: (err, { requestId }) => log.error({ requestId, err }, "request failed"),
    });
    return server;
  };
}

/**
 * Streamable HTTP without sessions: every POST is whole in itself. It is answered with JSON, and where something is asked
 * before, with events; the client's answer comes in a POST of its own.
 */
export function mcpRoutes(app: FastifyInstance, { serverFor, origins, writes, tools, timeouts }: McpOptions): void {
  const writing = new Set(tools.filter((tool) => scopeOf(tool) === "write").map(({ name }) => name));
  const questions = openQuestions();
  const closing = new AbortController();
  const signOfLifeMs = timeouts.connectionMs / 2;
  app.addHook("preClose", async () => closing.abort());
  const refuseOrigin = async ({ headers }: FastifyRequest): Promise<void> => {
    if (headers.origin !== undefined && !origins.includes(headers.origin)) throw foreignOrigin();
  };

  app.route({
    method: ["GET", "DELETE"],
    url: PATH,
    config: { access: "member" },
    schema: { hide: true },
    onRequest: [
      refuseOrigin,
      async ({ method }, reply) => sendError(reply.header("allow", "POST"), noSession(method), 405),
    ],
    handler: async () => {},
  });

  app.route({
    method: "POST",
    url: PATH,
    bodyLimit: BODY_LIMITS.mcp,
    config: { access: "member" },
    schema: {
      summary: "The tools over MCP: Streamable HTTP without sessions",
      description: "One JSON-RPC message per request. `Accept` names both `application/json` and `text/event-stream`.",
      tags: ["mcp"],
      "x-scope": "of the tool",
      "x-repeat": "replayed",
      headers: WRITE_HEADERS,
      "x-body-limit": BODY_LIMITS.mcp,
      body: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.looseObject({}).optional() }),
      response: {
        200: z
          .looseObject({ jsonrpc: z.literal("2.0") })
          .describe("The JSON-RPC answer; as `text/event-stream` where a question to the client comes before"),
        202: z.null().describe("Taken: a notification, or the client's answer to a question, has no answer"),
        default: FAILURE.or(RPC_FAILURE).describe("Any failure: of the backend, or of the protocol"),
      },
    },
    onRequest: refuseOrigin,
    preHandler: async (request) => {
      const tool = calledTool(request.body);
      if (tool !== undefined && writing.has(tool)) await writes(request);
    },
    handler: async (request, reply) => {
      const call = callOf(request, reply);
      const told =
        "method" in (request.body as object) ? undefined : JSONRPCResponseSchema.safeParse(request.body).data;
      if (!told) {
        const server = serverFor(call, offersQuestions(request.headers[SESSION]));
        const sessionId = sessionIdFor(request.body);
        if (sessionId !== undefined) reply.header(SESSION, sessionId);
        return exchange(server, request, reply, { call, questions, closing: closing.signal, signOfLifeMs });
      }
      questions.answer(call.caller.member, told);
      return reply.code(202).send();
    },
  });
}

/** The tool a message calls. Throws for what is no single message: a batch would slip past the limits. */
function calledTool(body: unknown): string | undefined {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new ChestError("VALIDATION_ERROR", "the body is not one JSON-RPC message", {
      hint: "send one JSON object per request; batches are not accepted",
    });
  }
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } };
  return method === "tools/call" && typeof params?.name === "string" ? params.name : undefined;
}

function foreignOrigin(): ChestError {
  return new ChestError("FORBIDDEN", "this `Origin` may not use `/mcp`", {
    hint: "the operator can name it in `CHEST_MCP_ORIGINS`",
  });
}

const noSession = (method: string): ChestError =>
  new ChestError("NOT_FOUND", `${method} ${PATH} not found`, { hint: "use POST: this backend keeps no MCP sessions" });
