import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { accountOf, NoAnswer, readFailure } from "./no-answer.ts";
import { http, https } from "./node-http.ts";

/** An answer whose body is read while it comes, however long it is. */
export interface Streamed {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

const CONNECT_MS = 10_000;

/**
 * One GET. Rejects with the reason in words, or with the signal's reason, which also ends the body. A redirect is an
 * answer.
 * @param route agent, and where it differs from the URL the host, port and path to ask.
 */
export function stream(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  route: RequestOptions,
): Promise<Streamed> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const call = (isSecure ? https() : http()).request(url, {
      ...route,
      headers: { ...route.headers, ...headers },
      signal,
    });
    const connecting = setTimeout(() => call.destroy(new NoAnswer("connect-timeout")), CONNECT_MS);
    call.on("socket", (socket) => {
      if (socket.connecting) socket.once(isSecure ? "secureConnect" : "connect", () => clearTimeout(connecting));
      else clearTimeout(connecting);
    });
    call.on("error", (error) => {
      clearTimeout(connecting);
      const cause = readFailure(error, false);
      reject(signal.aborted ? signal.reason : new Error(accountOf(cause), { cause }));
    });
    call.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: response, close: () => call.destroy() });
    });
    call.end();
  });
}
