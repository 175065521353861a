import { randomUUID } from "node:crypto";
import type { Call } from "@chest/core/executor";
import { type Confirm, createMcpServer, drawsViews, elicitConfirm, statesProtocol } from "@chest/mcp-server";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { InitializeRequestSchema, JSONRPCResponseSchema } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { unauthorized } from "../plugins/auth.ts";
import { tokenOf } from "../plugins/authenticate.ts";
import { callOf } from "../plugins/caller.ts";
import type { ClientOffers, McpOptions } from "../routes/mcp.ts";
import { type Catalogue, surfaceOf } from "./catalogue.ts";
import { type Exchange, exchange } from "./exchange.ts";

const SESSION = "mcp-session-id";

/** Builds a server for one request, over the catalogue. */
export function serverOf(catalogue: Catalogue, call: Call, { asking, drawsViews }: ClientOffers): Server {
  const ask: Confirm = async (question, signal) => {
    const reply = await elicitConfirm(server, question, signal);
    // The user may take minutes to answer, and the token may have been revoked meanwhile.
    await asking?.assertStillValid();
    return reply;
  };
  const server = createMcpServer(surfaceOf(catalogue, call, asking && ask, drawsViews));
  return server;
}

type Answering = Pick<McpOptions, "serverFor" | "sessionlessFor" | "login" | "writes"> & Omit<Exchange, "call">;

/** Answers one message: a request by a new server, an answer to a question by passing it to the call that asked. */
export async function answerMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  { serverFor, sessionlessFor, login, writes, ...around }: Answering,
): Promise<FastifyReply> {
  let spent: Promise<void> | undefined;
  // A message is one write, also where its user is shown a dry run first.
  const call = { ...callOf(request, reply), spend: () => (spent ??= writes(request)) };
  if (statesProtocol(request.body) || isSessionless(request.headers["mcp-protocol-version"])) {
    const { answerSessionless } = await import("./without-sessions.ts");
    return answerSessionless(request, reply, { serverFor: sessionlessFor, call, ...around });
  }
  const answer = "method" in (request.body as object) ? undefined : JSONRPCResponseSchema.safeParse(request.body).data;
  if (answer) {
    await around.questions.answer(call.caller, answer);
    return reply.code(202).send();
  }
  const token = tokenOf(request);
  const assertStillValid = async () => {
    if (token === undefined || !(await login(token))) throw unauthorized();
  };
  const offered = offersOf(request.headers[SESSION]);
  const server = await serverFor(call, {
    asking: offered.questions ? { assertStillValid } : undefined,
    drawsViews: offered.views,
  });
  const sessionId = sessionIdFor(request.body);
  if (sessionId !== undefined) reply.header(SESSION, sessionId);
  return exchange(server, request, reply, { call, ...around });
}

/** Protocol versions are dates; 2025-11-25 was the last version with a handshake. */
const isSessionless = (version: string | string[] | undefined): boolean =>
  typeof version === "string" && version > "2025-11-25";

const QUESTIONS = "elicitation";
const VIEWS = "views";

/**
 * Builds the session id that carries a client's abilities. The client states them once, at `initialize`, and the server
 * keeps no session state; the id brings them back with each later request.
 * @returns undefined for a client without relevant abilities, and for every other message.
 */
function sessionIdFor(message: unknown): string | undefined {
  if ((message as { method?: unknown }).method !== "initialize") return undefined;
  const capabilities = InitializeRequestSchema.safeParse(message).data?.params.capabilities;
  const offered = [...(capabilities?.elicitation ? [QUESTIONS] : []), ...(drawsViews(capabilities) ? [VIEWS] : [])];
  return offered.length === 0 ? undefined : [...offered, randomUUID()].join(".");
}

/** Reads the client's abilities from the session id. */
function offersOf(sessionId: string | string[] | undefined): { questions: boolean; views: boolean } {
  const offered = typeof sessionId === "string" ? sessionId.split(".").slice(0, -1) : [];
  return { questions: offered.includes(QUESTIONS), views: offered.includes(VIEWS) };
}
