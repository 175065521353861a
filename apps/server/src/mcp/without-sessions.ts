import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Call } from "@chest/core/executor";
import {
  confirmHere,
  createMcpHandler,
  createSessionlessServer,
  type Server,
} from "@chest/mcp-server/without-sessions";
import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptHeader } from "./accept.ts";
import { type Catalogue, surfaceOf } from "./catalogue.ts";
import type { Exchange } from "./exchange.ts";

/** Builds a server over the catalogue for one request that states its own protocol version. */
export const sessionlessServerOf = (catalogue: Catalogue, call: Call): Server =>
  createSessionlessServer(surfaceOf(catalogue, call, confirmHere));

type Answering = Pick<Exchange, "call" | "takeStream" | "closing" | "signOfLifeMs"> & {
  serverFor(call: Call): Server | Promise<Server>;
};

const HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Answers one message of a protocol without sessions: with JSON, or with a stream when the client subscribes to
 * changes.
 */
export async function answerSessionless(
  request: FastifyRequest,
  reply: FastifyReply,
  { serverFor, call, takeStream, closing, signOfLifeMs }: Answering,
): Promise<FastifyReply> {
  const handler = createMcpHandler(() => serverFor(call), { legacy: "reject", keepAliveMs: signOfLifeMs });
  const webRequest = new Request("http://localhost/mcp", {
    method: "POST",
    headers: copied(request.headers),
    signal: AbortSignal.any([call.signal, closing]),
  });
  const { status, headers, body } = await handler.fetch(webRequest, { parsedBody: request.body });
  const answer = body && Readable.fromWeb(body as ReadableStream);
  if (answer && headers.get("content-type")?.startsWith("text/event-stream")) {
    try {
      answer.once("close", takeStream());
    } catch (refusal) {
      answer.destroy();
      throw refusal;
    }
    reply.header("x-accel-buffering", "no");
  }
  for (const [name, value] of headers) reply.header(name, value);
  return reply.code(status).send(answer ?? undefined);
}

/** Copies the headers that the protocol reads. The body was read as JSON under any content type. */
function copied(headersIn: FastifyRequest["headers"]): Headers {
  const headers = new Headers({ "content-type": "application/json", accept: acceptHeader(headersIn.accept) });
  for (const name of HEADERS) {
    const value = headersIn[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return headers;
}
