import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { NoAnswer, NotHttp, readFailure } from "./no-answer.ts";
import { http, https } from "./node-http.ts";

export interface Outgoing {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const CONNECT_MS = 2_000;
const MAX_ANSWER_BYTES = 16 * 1_048_576;

/**
 * One request and its whole answer. Rejects with `NoAnswer`, with `NotHttp` for an answer that cannot be read, or with
 * the signal's reason. A redirect is an answer.
 * @param route agent, and where it differs from the URL the host, port and path to ask.
 */
export function exchange(outgoing: Outgoing, route: RequestOptions): Promise<Incoming> {
  const { method, url, body, timeoutMs, signal } = outgoing;
  const isSecure = url.protocol === "https:";
  const headers = { ...route.headers, ...outgoing.headers, ...lengthOf(body) };
  return new Promise((resolve, reject) => {
    const call = (isSecure ? https() : http()).request(url, { ...route, method, headers });
    let isConnected = false;

    const settle = () => {
      clearTimeout(connecting);
      clearTimeout(answering);
      signal.removeEventListener("abort", cancel);
    };
    const fail = (error: unknown) => {
      settle();
      call.destroy();
      reject(isOurs(error, signal) ? error : readFailure(error, isConnected));
    };
    const cancel = () => fail(signal.reason);
    const connected = () => {
      isConnected = true;
      clearTimeout(connecting);
    };
    const connecting = setTimeout(() => fail(new NoAnswer("connect-timeout")), Math.min(CONNECT_MS, timeoutMs));
    const answering = setTimeout(() => fail(new NoAnswer("timeout")), timeoutMs);

    call.on("error", (error) => fail(isUnreadable(error) ? new NotHttp("no HTTP", { cause: error }) : error));
    call.on("socket", (socket) => {
      if (isOpen(socket)) connected();
      else socket.once(isSecure ? "secureConnect" : "connect", connected);
    });
    call.on("response", (response) => {
      readBody(response).then((text) => {
        settle();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      }, fail);
    });
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    else call.end(body);
  });
}

const lengthOf = (body: string | undefined): Record<string, string> =>
  body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };

/** A kept socket is open already; one that still agrees on TLS has sent nothing. */
const isOpen = (socket: Socket): boolean =>
  !socket.connecting && (socket as Partial<TLSSocket>).getProtocol?.() !== null;

const isUnreadable = (error: Error): boolean => "code" in error && String(error.code).startsWith("HPE_");

const isOurs = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof NotHttp || (signal.aborted && error === signal.reason && !(error instanceof NoAnswer));

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new NotHttp(`more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
