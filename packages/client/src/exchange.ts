import type { IncomingHttpHeaders } from "node:http";
import type { LookupFunction } from "node:net";
import { NotHttp } from "./no-answer.ts";
import type { ProxySettings } from "./proxy.ts";

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
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** HTTP exchanges over any proxies and certificates in between. */
export interface Transport {
  /** Rejects with `NoAnswer`, with `NotHttp` for an answer that cannot be read, or with the signal's reason. */
  send(request: Outgoing): Promise<Incoming>;
  /**
   * A GET of something large, read while it comes. Rejects with the reason in words, or with the signal's reason, which
   * also ends the body. A redirect is an answer.
   * @param lookup resolves the host's name, unless a proxy does.
   */
  stream(
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    lookup?: LookupFunction,
  ): Promise<Streamed>;
  close(): void;
}

/** An answer whose body is read as a stream, of any length. */
export interface Streamed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export interface TransportOptions {
  /** PEM of an authority to trust beside the usual ones. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
}

const MAX_ANSWER_BYTES = 16 * 1_048_576;

/** Reads an answer whole. */
export async function readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new NotHttp(`more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
