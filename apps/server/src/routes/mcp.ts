import { BODY_LIMITS, ChestError } from "@chest/contracts";
import { type AnyTool, type Call, type Executor, type ResourceReader, scopeOf } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import { createMcpServer, INSTRUCTIONS } from "@chest/surface";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { callOf } from "../caller.ts";
import { type DefectLog, notFound, sendError } from "../plugins/errors.ts";
import type { Spend } from "../plugins/limits.ts";
import { FAILURE, WRITE_HEADERS } from "../serve.ts";

const PATH = "/mcp";

const RPC_FAILURE = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

export interface McpOptions {
  /** A server for one request, which ends with it. */
  serverFor(call: Call): Server;
  readonly origins: readonly string[];
  /** Spent by a call of a tool that writes. */
  readonly writes: Spend;
  readonly tools: readonly AnyTool[];
}

/** The catalogue's server for each request at `/mcp`. */
export function catalogueServer(
  tools: readonly AnyTool[],
  executor: Executor,
  resources: ResourceReader,
  log: DefectLog,
): McpOptions["serverFor"] {
  return (call) =>
    createMcpServer({
      tools,
      executor,
      resources,
      callFor: () => call,
      version: RELEASE,
      instructions: INSTRUCTIONS,
      onDefect: (err, { requestId }) => log.error({ requestId, err }, "request failed"),
    });
}

/** Streamable HTTP without sessions: every POST is whole in itself, and answered with JSON. */
export function mcpRoutes(app: FastifyInstance, { serverFor, origins, writes, tools }: McpOptions): void {
  const writing = new Set(tools.filter((tool) => scopeOf(tool) === "write").map(({ name }) => name));
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
      description: "One JSON-RPC message a request. `Accept` names both `application/json` and `text/event-stream`.",
      tags: ["mcp"],
      "x-scope": "of the tool",
      "x-repeat": "replayed",
      headers: WRITE_HEADERS,
      "x-body-limit": BODY_LIMITS.mcp,
      body: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.looseObject({}).optional() }),
      response: {
        200: z.looseObject({ jsonrpc: z.literal("2.0") }).describe("The JSON-RPC answer"),
        202: z.null().describe("Taken: a notification has no answer"),
        default: FAILURE.or(RPC_FAILURE).describe("Any failure: of the backend, or of the protocol"),
      },
    },
    onRequest: refuseOrigin,
    preHandler: async (request) => {
      const tool = calledTool(request.body);
      if (tool !== undefined && writing.has(tool)) await writes(request);
    },
    handler: async (request, reply) => answer(serverFor(callOf(request, reply)), request, reply),
  });
}

async function answer(server: Server, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(standardRequest(request), { parsedBody: request.body });
    const type = response.headers.get("content-type");
    if (type !== null) reply.type(type);
    return reply.code(response.status).send(await response.text());
  } finally {
    await server.close();
  }
}

/** The request as the transport reads it; the body is parsed already. */
function standardRequest({ headers }: FastifyRequest): Request {
  const copied = new Headers();
  for (const name of ["accept", "content-type", "mcp-protocol-version"]) {
    const value = headers[name];
    if (typeof value === "string") copied.set(name, value);
  }
  return new Request("http://localhost/mcp", { method: "POST", headers: copied });
}

/** The tool a message calls. Throws for what is no single message: a batch would slip past the limits. */
function calledTool(body: unknown): string | undefined {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new ChestError("VALIDATION_ERROR", "the body is not one JSON-RPC message", {
      hint: "send one JSON object a request; batches are not taken",
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

const noSession = (method: string): ChestError => {
  const { code, message } = notFound(`${method} ${PATH}`);
  return new ChestError(code, message, { hint: "use POST: this backend keeps no MCP sessions" });
};
