import { lookup as resolveName } from "node:dns";
import { type RequestOptions as HttpOptions, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { isInnerAddress } from "@chest/core/webhooks";

export interface GuardedRequest {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Most bytes of the answer that are read. */
  readonly maxBytes: number;
  /** Allows requests to this machine and to private networks. */
  readonly allowPrivate: boolean;
}

export interface GuardedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Thrown for an address inside the backend's own network. */
class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";
}

/**
 * Sends a request to an address that a user chose. Every IP address of the host name is checked before the connection
 * is made, and the connection uses a checked address. Redirects are not followed.
 */
export function guardedRequest(url: URL, options: GuardedRequest): Promise<GuardedAnswer> {
  const { method, headers = {}, body, timeoutMs, maxBytes, allowPrivate } = options;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivate && isInnerAddress(host)) return Promise.reject(new PrivateAddress(`\`${host}\` is private`));
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeoutMs);
  const over: HttpOptions = { method, headers: { ...headers }, signal, agent: false };
  if (!allowPrivate) over.lookup = publicOnly;
  return new Promise((resolve, reject) => {
    const request = send(url, over, (response) => {
      readBody(response, maxBytes).then((text) => {
        const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(entries), body: text });
      }, reject);
    });
    request.on("error", reject).end(body);
  });
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new Error(`the answer is longer than ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const publicOnly: LookupFunction = (host, options, done) => {
  resolveName(host, { ...options, all: true }, (error, found) => {
    if (error) return done(error, "", 0);
    if (found.length === 0 || found.some(({ address }) => isInnerAddress(address))) {
      return done(new PrivateAddress(`\`${host}\` resolves to a private address`), "", 0);
    }
    const [first] = found;
    if (options.all) return done(null, found);
    done(null, first?.address ?? "", first?.family);
  });
};
