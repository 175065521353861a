import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ChestError,
  type Endpoint,
  ERRORS,
  endpoints,
  HEADERS,
  ownTimeZone,
  type StatedClient,
  TIME_LIMITS,
  writeClientHeader,
} from "@chest/contracts";
import type { z } from "zod";
import { addressOf, readBaseUrl } from "./address.ts";
import { notOurs, readAnswer } from "./answer.ts";
import type { Incoming, Transport, TransportOptions } from "./exchange.ts";
import { isLasting, mayHaveArrived, NoAnswer, NotHttp, unreachable } from "./no-answer.ts";
import { type PresenceOptions, watchPresence } from "./presence.ts";

export interface BackendOptions extends TransportOptions {
  readonly url: string;
  readonly token: string | undefined;
  /** Source of the token, in words for the message when the backend refuses it: a variable, or a file's name in backticks. */
  readonly tokenFrom?: string | undefined;
  /** One call with its retries. */
  readonly timeoutMs?: number | undefined;
  /** Returns the client header; called for every request. */
  readonly client: () => StatedClient;
  readonly transport?: Transport | undefined;
  /** Time of silence after which the backend is probed, and the interval of the probes. */
  readonly presence?: Omit<PresenceOptions, "probe"> | undefined;
}

export interface CallOptions {
  readonly parts?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** A body that is no JSON document. */
  readonly text?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether the request may be repeated although the backend may have received the first one. By default only GET requests
   * are.
   */
  readonly isRepeatable?: boolean | undefined;
  readonly tries?: number | undefined;
  /** Time limit of all attempts together; by default the one that the backend was opened with. */
  readonly withinMs?: number | undefined;
}

/** Client of a remote backend: takes typed endpoints, and returns their answers or throws a `ChestError`. */
export interface Backend {
  /** URL for display, without credentials. */
  readonly url: string;
  call<R extends z.ZodType>(endpoint: Endpoint<R>, options?: CallOptions): Promise<z.output<R>>;
  /** Ends what is running, as `BACKEND_UNREACHABLE`, and closes the connections. */
  close(): void;
}

const TRIES = 3;
const FIRST_PAUSE_MS = 250;

export function openBackend({
  url,
  token,
  tokenFrom,
  timeoutMs = TIME_LIMITS.call,
  presence: patience,
  client,
  ...options
}: BackendOptions): Backend {
  const baseUrl = readBaseUrl(url);
  let opening = options.transport && Promise.resolve(options.transport);
  // Created at the first call, because it would delay the start of an agent.
  const transport = () => {
    opening ??= import("./transport.ts").then(({ openTransport }) => openTransport(options));
    return opening;
  };
  const closing = new AbortController();
  const presence = watchPresence({
    ...patience,
    async probe(signal) {
      const wire = await transport();
      const headers = { accept: "application/json" };
      const url = addressOf(baseUrl, endpoints.healthz);
      return isHealth(await wire.send({ method: "GET", url, headers, timeoutMs: TIME_LIMITS.call, signal }));
    },
  });

  return {
    url: baseUrl,
    async call(
      endpoint,
      {
        parts,
        query,
        body,
        text,
        headers = {},
        signal,
        isRepeatable,
        tries = TRIES,
        withinMs = timeFor(endpoint, timeoutMs),
      } = {},
    ) {
      const request = {
        method: endpoint.method,
        url: addressOf(baseUrl, endpoint, parts, query),
        headers: {
          accept: "application/json",
          [HEADERS.requestId]: randomUUID(),
          [HEADERS.client]: writeClientHeader(client()),
          [HEADERS.timeZone]: ownTimeZone(),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(text === undefined ? {} : { "content-type": "text/plain; charset=utf-8" }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined ? text : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, closing.signal]) : closing.signal,
      };
      const mayRepeat = isRepeatable ?? endpoint.method === "GET";
      const endsAt = performance.now() + withinMs;
      for (let attempt = 1; ; attempt++) {
        const isLast = attempt >= tries || !mayRepeat;
        try {
          const leftMs = endsAt - performance.now();
          // Each attempt gets a share of the time, so that one whose answer is lost leaves time for the next ones. If
          // there is enough, a proxy gives up first.
          const limitMs = isLast ? leftMs : shareOf(leftMs, patienceFor(endpoint));
          const wire = await transport();
          const answer = await presence.watch((lost) =>
            wire.send({ ...request, timeoutMs: limitMs, signal: AbortSignal.any([request.signal, lost]) }),
          );
          return readAnswer(endpoint, answer, token === undefined ? undefined : { url: baseUrl, from: tokenFrom });
        } catch (error) {
          const failure = asChestError(error, baseUrl);
          const pauseMs = attempt < tries ? pauseAfter(failure, attempt, mayRepeat) : undefined;
          if (pauseMs === undefined || performance.now() + pauseMs >= endsAt) throw failure;
          await sleep(pauseMs, undefined, { signal: request.signal }).catch(() => {
            throw asChestError(request.signal.reason, baseUrl);
          });
        }
      }
    },
    close() {
      closing.abort(new NoAnswer("closing"));
      presence.close();
      opening?.then(
        (wire) => wire.close(),
        () => {},
      );
    },
  };
}

const patienceFor = ({ isLong }: Endpoint): number => (isLong ? TIME_LIMITS.longProxy : TIME_LIMITS.proxy);

const shareOf = (leftMs: number, patienceMs: number): number =>
  leftMs > patienceMs ? Math.max(leftMs / 2, patienceMs) : leftMs / 2;

/** Adds the extra time that the backend gives to slow routes. */
const timeFor = ({ isLong }: Endpoint, timeoutMs: number): number =>
  isLong ? timeoutMs + TIME_LIMITS.longCall - TIME_LIMITS.call : timeoutMs;

/**
 * Whether an answer has the form of a backend's health check, which comes even without its database. A proxy in front
 * of it answers otherwise.
 */
function isHealth({ body }: Incoming): boolean {
  try {
    const said: unknown = JSON.parse(body);
    return said !== null && typeof said === "object" && "version" in said;
  } catch {
    return false; // No JSON is no answer of ours.
  }
}

/** Passes a `ChestError` on, adds the address to failures of the connection, and throws all other errors unchanged. */
function asChestError(error: unknown, url: string): ChestError {
  if (error instanceof ChestError) return error;
  if (error instanceof NoAnswer) return unreachable(url, error);
  if (error instanceof NotHttp) return notOurs(undefined, `what answers at ${url} does not speak HTTP`);
  throw error;
}

/** Pause before the next try; undefined for no further try. */
function pauseAfter(error: ChestError, attempt: number, mayRepeat: boolean): number | undefined {
  if (ERRORS[error.code].retry === "no" || isLasting(error)) return undefined;
  if (!mayRepeat && mayHaveArrived(error)) return undefined;
  const asked = error.details?.retry_after_ms;
  const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  return typeof asked === "number" ? Math.max(asked, 50) : backoff;
}
