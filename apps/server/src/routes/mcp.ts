import { BODY_LIMITS, ChestError, type Scope } from "@chest/contracts";
import { lacksScope } from "@chest/core/access";
import { normalizeArguments } from "@chest/core/arguments";
import type { Call } from "@chest/core/executor";
import type { Signals } from "@chest/core/ports";
import { type AnyTool, isObject } from "@chest/core/tool";
import { isWrite } from "@chest/core/wraps";
import type { Server as SessionlessServer } from "@chest/mcp-server/without-sessions";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Catalogue } from "../mcp/catalogue.ts";
import { openQuestions } from "../mcp/questions.ts";
import type { Login } from "../plugins/authenticate.ts";
import { sendError } from "../plugins/errors.ts";
import { budgetHolder, type Spend } from "../plugins/rate-limit.ts";
import { openStreams } from "../plugins/streams.ts";
import type { Timeouts } from "../timeouts.ts";
import { CALLER_HEADERS, FAILURE, TIME_ZONE_HEADER, WRITE_HEADERS } from "./define-route.ts";

const PATH = "/mcp";
/** Most answers of one token that may stay open; each holds a connection while a user thinks. */
const MOST_STREAMS = 16;
/** All scopes that the client needs, not only the missing one, because a new grant replaces the old one. */
const STEP_UP: Partial<Record<Scope, string>> = { read: "memory:read", write: "memory:read memory:write" };
/** Methods that return stored content, or list it. */
const READS = /^(?:resources|prompts|completion)\//;

const RPC_FAILURE = z.looseObject({
  jsonrpc: z.literal("2.0"),
  error: z.looseObject({ code: z.int(), message: z.string() }),
});

/** Lets a request ask the client's user before it acts. */
export interface UserQuestions {
  /** Throws once the request's token is no longer valid. */
  assertStillValid(): Promise<void>;
}

/** Abilities that a client stated when it connected. */
export interface ClientOffers {
  /** Undefined where the client cannot ask its user. */
  readonly asking: UserQuestions | undefined;
  /** Tells whether the client shows HTML documents of a server in its chat. */
  readonly drawsViews: boolean;
}

export interface McpOptions {
  /** Builds a server that answers one request. */
  serverFor(call: Call, offers: ClientOffers): Server | Promise<Server>;
  /** Builds the same for a request that states its own protocol version. */
  sessionlessFor(call: Call): SessionlessServer | Promise<SessionlessServer>;
  readonly login: Login;
  readonly origins: readonly string[];
  /** Counts calls that write against the member's budget, as the pipeline finds them. */
  readonly writes: Spend;
  readonly tools: readonly AnyTool[];
  readonly timeouts: Pick<Timeouts, "connectionMs">;
  /** Channel between processes that share a store; undefined for a single process. */
  readonly signals?: Signals | undefined;
  /** Set where OAuth clients are accepted: their path, and the challenge that makes them request more scopes. */
  readonly oauth?: { readonly path: string; readonly challenge: (error?: string, scopes?: string) => string };
}

/** Builds a server over the catalogue for each request at `/mcp`. */
export const catalogueServer =
  (catalogue: Catalogue): McpOptions["serverFor"] =>
  async (call, offers) =>
    (await protocol()).serverOf(catalogue, call, offers);

/** Builds the same for requests that state their own protocol version, as those of 2026-07-28 do. */
export const sessionlessCatalogueServer =
  (catalogue: Catalogue): McpOptions["sessionlessFor"] =>
  async (call) =>
    (await import("../mcp/without-sessions.ts")).sessionlessServerOf(catalogue, call);

// The protocol's library would take a tenth of the start and of the memory, so the first message loads it.
const protocol = () => import("../mcp/message.ts");

/**
 * Routes of Streamable HTTP without sessions: each POST is complete in itself. The answer is JSON, or a stream of
 * events when the user is asked first; the user's answer comes in a separate POST.
 */
export function mcpRoutes(
  app: FastifyInstance,
  { serverFor, sessionlessFor, login, origins, writes, tools, timeouts, signals, oauth }: McpOptions,
): void {
  const url = oauth?.path ?? PATH;
  const config = { access: "member" as const, ...(oauth && { challenge: oauth.challenge }) };
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const scopeOf = ({ tool, input }: Message): Scope => {
    const called = byName.get(tool);
    const meant = called?.readsOnly && isObject(input) ? normalizeArguments(called.input, input) : input;
    return called && isWrite(called, meant) ? "write" : "read";
  };
  const questions = openQuestions(signals);
  const streams = openStreams(MOST_STREAMS, tooManyQuestions);
  const closing = new AbortController();
  const signOfLifeMs = timeouts.connectionMs / 2;
  app.addHook("preClose", async () => closing.abort());
  const refuseOrigin = async ({ headers }: FastifyRequest): Promise<void> => {
    if (headers.origin !== undefined && !origins.includes(headers.origin)) throw foreignOrigin();
  };

  app.route({
    method: ["GET", "DELETE"],
    url,
    config,
    schema: { hide: true },
    onRequest: [
      refuseOrigin,
      async ({ method }, reply) => sendError(reply.header("allow", "POST"), noSession(method, url), 405),
    ],
    handler: async () => {},
  });

  app.route({
    method: "POST",
    url,
    bodyLimit: BODY_LIMITS.mcp,
    config,
    schema: {
      summary: "The tools over MCP: Streamable HTTP without sessions",
      description: `One JSON-RPC message per request. \`Accept\` names both \`application/json\` and \`text/event-stream\`, or takes anything. Resources, prompts and completions need \`read\`. At most ${MOST_STREAMS} questions to the user wait at once for each token; a call that would ask one more is answered with 429.`,
      tags: ["mcp"],
      "x-scope": "of the tool",
      "x-repeat": "replayed",
      headers: CALLER_HEADERS.extend({ ...TIME_ZONE_HEADER.shape, ...WRITE_HEADERS.shape }),
      "x-body-limit": BODY_LIMITS.mcp,
      body: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string(), params: z.looseObject({}).optional() }),
      response: {
        200: z
          .looseObject({ jsonrpc: z.literal("2.0") })
          .describe("The JSON-RPC answer; as `text/event-stream` where a question to the client comes before"),
        202: z.null().describe("Accepted: a notification, or the client's answer to a question, has no answer"),
        default: FAILURE.or(RPC_FAILURE).describe("Any failure: of the backend, or of the protocol"),
      },
    },
    onRequest: refuseOrigin,
    preHandler: async (request, reply) => {
      const message = readMessage(request.body);
      const scope = scopeOf(message);
      if (oauth && message.tool !== "" && !request.caller?.scopes.has(scope)) {
        // The client asks its user for more rights, then repeats the call.
        reply.header("www-authenticate", oauth.challenge("insufficient_scope", STEP_UP[scope]));
        throw lacksScope(scope);
      }
      // For a tool the executor refuses, so that the model reads the refusal; other methods are refused here.
      if (READS.test(message.method) && !request.caller?.scopes.has("read")) throw lacksScope("read");
    },
    handler: async (request, reply) => {
      const { answerMessage } = await protocol();
      return answerMessage(request, reply, {
        serverFor,
        sessionlessFor,
        login,
        writes,
        scope: scopeOf(readMessage(request.body)),
        questions,
        takeStream: () => streams.take(budgetHolder(request)),
        closing: closing.signal,
        signOfLifeMs,
      });
    },
  });
}

interface Message {
  readonly method: string;
  readonly tool: string;
  readonly input: unknown;
}

/**
 * Reads method and tool of a message; both are empty for an answer to a question. Throws for a batch, which would
 * bypass the limits.
 */
function readMessage(body: unknown): Message {
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new ChestError("VALIDATION_ERROR", "the body is not one JSON-RPC message", {
      hint: "send one JSON object per request; batches are not accepted",
    });
  }
  const { method, params } = body as { method?: unknown; params?: { name?: unknown; arguments?: unknown } };
  if (typeof method !== "string") return { method: "", tool: "", input: undefined };
  const tool = method === "tools/call" && typeof params?.name === "string" ? params.name : "";
  return { method, tool, input: params?.arguments };
}

function foreignOrigin(): ChestError {
  return new ChestError("FORBIDDEN", "this `Origin` may not use `/mcp`", {
    hint: "the operator can name it in `CHEST_MCP_ORIGINS`",
  });
}

const noSession = (method: string, path: string): ChestError =>
  new ChestError("NOT_FOUND", `${method} ${path} not found`, { hint: "use POST: this backend keeps no MCP sessions" });

// A user may take any time to answer.
const RETRY_MS = 5_000;

const tooManyQuestions = (most: number) =>
  new ChestError("RATE_LIMITED", `${most} questions to the human wait already: the most that one token may have`, {
    hint: "answer or cancel one of them, then call again",
    details: { limit: most, retry_after_ms: RETRY_MS },
  });
