import { PassThrough } from "node:stream";
import type { Scope } from "@chest/contracts";
import type { Call } from "@chest/core";
import { withoutBatches } from "@chest/mcp-server";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { accepted } from "./accept.ts";
import type { Questions } from "./questions.ts";

// A proxy that keeps an answer until it is whole would keep the question in it.
const UNBUFFERED = { "cache-control": "no-cache", "x-accel-buffering": "no" };

export interface Exchange {
  readonly call: Call;
  /** Scope of the call: a token that answers its questions needs it. */
  readonly scope: Scope;
  readonly questions: Questions;
  /** Takes a place for an answer that waits. @returns gives it back. */
  takeStream(): () => void;
  /** Aborts when the server closes: waiting calls are released. */
  readonly closing: AbortSignal;
  /** Less than a connection may be silent for, here and at a proxy. */
  readonly signOfLifeMs: number;
}

/** One message and its answer: JSON, or a stream of events where the server says or asks something before it answers. */
export async function exchange(
  server: Server,
  request: FastifyRequest,
  reply: FastifyReply,
  { call, scope, questions, takeStream, closing, signOfLifeMs }: Exchange,
): Promise<FastifyReply> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const asked: string[] = [];
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
      // It is the answer to the request, not to the tool that wanted to ask.
      spoken.reject(refusal);
      throw refusal;
    }
    return new PassThrough();
  }
  /** Every server counts its questions from nought; here they come together. */
  function underItsOwnId<Q extends { readonly id: string | number }>(question: Q): Q {
    const id = questions.ask(call.caller, scope, (told) => transport.onmessage?.({ ...told, id: question.id }));
    asked.push(id);
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
    questions.withdraw(asked);
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

/** The request as the transport reads it; the body is parsed already. */
function standardRequest({ headers }: FastifyRequest): Request {
  const copied = new Headers();
  copied.set("content-type", "application/json"); // It was read as JSON, whatever it was called, or not called.
  copied.set("accept", accepted(headers.accept));
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string") copied.set("mcp-protocol-version", version);
  return new Request("http://localhost/mcp", { method: "POST", headers: copied });
}
