import { randomUUID } from "node:crypto";
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ChestError, toEnvelope } from "@chest/contracts";
import type { FastifyInstance } from "fastify";
import { type RequestLog, requestIdOf } from "./requests.ts";

interface ParserError {
  readonly status: string;
  readonly message: string;
  readonly hint: string;
}

/** Errors for input that never became a request, by the code of Node's HTTP parser. */
const PARSER_ERRORS: Readonly<Record<string, ParserError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: "408 Request Timeout",
    message: "the request came too slowly",
    hint: "send it whole, without a pause",
  },
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    message: `the address and the headers are longer than ${maxHeaderSize} bytes`,
    hint: "shorten them, or send long values in a body",
  },
};
const NO_HTTP: ParserError = {
  status: "400 Bad Request",
  message: "this is not a complete HTTP request",
  hint: "send HTTP/1.1, with a body as long as its `content-length` says",
};
const EXPECTED: ParserError = {
  status: "417 Expectation Failed",
  message: "`Expect` asks for something other than `100-continue`",
  hint: "leave the header out",
};
const NO_HOST: ParserError = {
  status: "400 Bad Request",
  message: "the HTTP/1.1 request has no `Host` header",
  hint: "send `Host` with the name and port of this backend",
};

/** Answers a connection whose request could not be parsed, and closes it. */
export function hangUp(code: string | undefined, socket: Socket, log: RequestLog): void {
  if (code === "ECONNRESET" || socket.destroyed) return;
  if (socket.writable) socket.write(answerTo(PARSER_ERRORS[code ?? ""] ?? NO_HTTP, randomUUID(), log));
  socket.destroySoon();
}

/** Answers requests that Node itself would refuse with an empty answer. */
export function addEarlyRefusals(app: FastifyInstance, log: RequestLog): void {
  app.server.on("checkExpectation", (request: IncomingMessage, { socket }: ServerResponse) => {
    socket?.end(answerTo(EXPECTED, requestIdOf(request), log));
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const { httpVersion, headers } = request.raw;
    done(httpVersion === "1.1" && headers.host === undefined ? refusalOf(NO_HOST) : undefined);
  });
}

const refusalOf = ({ message, hint }: ParserError) => new ChestError("VALIDATION_ERROR", message, { hint });

function answerTo(unread: ParserError, requestId: string, log: RequestLog): string {
  log.info({ status: Number.parseInt(unread.status, 10), requestId }, "no request");
  const body = JSON.stringify(toEnvelope(refusalOf(unread)));
  return [
    `HTTP/1.1 ${unread.status}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
