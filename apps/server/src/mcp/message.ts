import type { AnyTool, Call, Executor, ResourceReader, ToolSet } from "@chest/core";
import { type Confirm, confirmDestructive, createMcpServer, elicitConfirm, INSTRUCTIONS } from "@chest/mcp-server";
import { RELEASE } from "@chest/runtime";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { JSONRPCResponseSchema } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { unauthorized } from "../plugins/auth.ts";
import { tokenOf } from "../plugins/authenticate.ts";
import { callOf } from "../plugins/caller.ts";
import type { DefectLog } from "../plugins/errors.ts";
import type { Asking, McpOptions } from "../routes/mcp.ts";
import { type Exchange, exchange } from "./exchange.ts";
import { offersQuestions, sessionIdFor } from "./offers.ts";

const SESSION = "mcp-session-id";

/** Everything that an agent is offered at `/mcp`. */
export interface Catalogue {
  readonly tools: readonly AnyTool[];
  readonly toolSet: ToolSet;
  readonly executor: Executor;
  readonly resources: ResourceReader;
  readonly log: DefectLog;
}

/** A server for one request, over the catalogue. */
export function serverOf(
  { tools, toolSet, executor, resources, log }: Catalogue,
  call: Call,
  asking: Asking | undefined,
): Server {
  const ask: Confirm = async (question, signal) => {
    const reply = await elicitConfirm(server, question, signal);
    // Minutes may have passed since the token was looked at.
    await asking?.assertStillValid();
    return reply;
  };
  const server = createMcpServer({
    tools,
    toolSet,
    executor: asking ? confirmDestructive(tools, ask)(executor) : executor,
    resources,
    callFor: () => call,
    version: RELEASE,
    instructions: INSTRUCTIONS,
    onDefect: (err, { requestId }) => log.error({ requestId, err }, "request failed"),
  });
  return server;
}

type Answering = Pick<McpOptions, "serverFor" | "login"> & Omit<Exchange, "call">;

/** Answers one message: a request by a server of its own, an answer to a question by passing it to the call that asked. */
export async function answerMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  { serverFor, login, ...around }: Answering,
): Promise<FastifyReply> {
  const call = callOf(request, reply);
  const told = "method" in (request.body as object) ? undefined : JSONRPCResponseSchema.safeParse(request.body).data;
  if (told) {
    await around.questions.answer(call.caller, told);
    return reply.code(202).send();
  }
  const token = tokenOf(request);
  const assertStillValid = async () => {
    if (token === undefined || !(await login(token))) throw unauthorized();
  };
  const server = await serverFor(call, offersQuestions(request.headers[SESSION]) ? { assertStillValid } : undefined);
  const sessionId = sessionIdFor(request.body);
  if (sessionId !== undefined) reply.header(SESSION, sessionId);
  return exchange(server, request, reply, { call, ...around });
}
