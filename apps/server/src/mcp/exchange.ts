import { PassThrough } from "node:stream";
import type { Scope } from "@chest/contracts";
import type { Call } from "@chest/core/executor";
import { withoutBatches } from "@chest/mcp-server";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptHeader } from "./accept.ts";
import type { Questions } from "./questions.ts";

// A proxy that buffers whole answers would hold back the question inside them.
const UNBUFFERED = { "cache-control": "no-cache", "x-accel-buffering": "no" };

export interface Exchange {
  readonly call: Call;
  /** Scope of the call; a token that answers its questions needs this scope too. */
  readonly scope: Scope;
  readonly questions: Questions;
  /** Takes a slot for an answer that stays open. @returns a function that releases the slot. */
  takeStream(): () => void;
  /** Aborts when the server closes, so that waiting calls end. */
  readonly closing: AbortSignal;
  /** Shorter than the silence after which this backend or a proxy cuts a connection. */
  readonly signOfLifeMs: number;
}

/**
 * Exchanges one message for its answer: JSON, or a stream of events when the server sends notifications or asks the
 * user first.
 */
export async function exchange(
  server: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, scope, questions, takeStream, closing, signOfLifeMs }: Exchange,
): Promise<FastifyReply> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const questionIds: string[] = [];
  let events: PassThrough | undefined;
  let leaveStream = () => {};
  const spoken = Promise.withResolvers<undefined>();
  const answer = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if (!("method" in message)) return answer(message, options);
    events ??= openEvents();
    events.write(event("id" in message ? underItsOwnId(message) : message));
    spoken.resolve(undefined);
  };
  function openEvents(): PassThrough {
    try {
      leaveStream = takeStream();
    } catch (refusal) {
      // The refusal answers the HTTP request; the tool that wanted to ask does not see it.
      spoken.reject(refusal);
      throw refusal;
    }
    return new PassThrough();
  }
  /**
   * Gives a question a unique id. Each server numbers its own questions from zero, and here the questions of all
   * servers meet.
   */
  function underItsOwnId<Q extends { readonly id: string | number }>(question: Q): Q {
    const id = questions.ask(call.caller, scope, (rpcAnswer) =>
      transport.onmessage?.({ ...rpcAnswer, id: question.id }),
    );
    questionIds.push(id);
    return { ...question, id };
  }

  await server.connect(transport);
  try {
    const whole = transport.handleRequest(standardRequest(request), { parsedBody: withoutBatches(request.body) });
    const first = await Promise.race([whole, spoken.promise]);
    if (first || !events) return await sendAlone(reply, first ?? (await whole));
    reply.type("text/event-stream").headers(UNBUFFERED).send(events);
    const pulse = setInterval(() => events?.write(": still at it\n\n"), signOfLifeMs);
    const last = await Promise.race([whole, aborted(AbortSignal.any([call.signal, closing]))]);
    clearInterval(pulse);
    events.end(last ? `event: message\ndata: ${await last.text()}\n\n` : event(cutOff(request.body)));
    return reply;
  } finally {
    leaveStream();
    questions.withdraw(questionIds);
    await server.close();
  }
}

const event = (message: JSONRPCMessage): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const cutOff = (body: unknown): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id: (body as { id: string | number }).id,
  error: { code: ErrorCode.ConnectionClosed, message: "this backend is shutting down: nothing was done" },
});

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });

async function sendAlone(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get("content-type");
  if (type !== null) reply.type(type);
  return reply.code(response.status).send(await response.text());
}

/** Builds the request that the transport reads; the body is parsed already. */
function standardRequest({ headers }: FastifyRequest): Request {
  const copied = new Headers();
  copied.set("content-type", "application/json"); // The body was read as JSON under any content type, or none.
  copied.set("accept", acceptHeader(headers.accept));
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string") copied.set("mcp-protocol-version", version);
  return new Request("http://localhost/mcp", { method: "POST", headers: copied });
}
