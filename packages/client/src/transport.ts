import type { LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { Agent, DecoratorHandler, type Dispatcher, errors, ProxyAgent, request } from "undici";
import { type Incoming, type Outgoing, readBody, type Transport, type TransportOptions } from "./exchange.ts";
import { accountOf, NoAnswer, NotHttp, readFailure } from "./no-answer.ts";
import { proxyFor } from "./proxy.ts";

const CONNECT_MS = 2_000;
const DOWNLOAD_CONNECT_MS = 10_000;

/** HTTP over undici: a pool of kept connections, proxies, an authority of one's own. Time limits are the caller's. */
export function openTransport({ ca, proxy: settings = {} }: TransportOptions = {}): Transport {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  const opened = new Map<string, Dispatcher>();

  const open = (key: string, make: () => Dispatcher): Dispatcher => {
    const dispatcher = opened.get(key) ?? make();
    opened.set(key, dispatcher);
    return dispatcher;
  };
  const direct = (timeout: number, lookup?: LookupFunction) =>
    new Agent({ ...UNHURRIED, connect: { timeout, ...trusted, ...(lookup && { lookup }) } });
  const route = (url: URL, timeout = CONNECT_MS): Dispatcher => {
    const proxy = proxyFor(url, settings);
    if (!proxy) return open(`direct ${timeout}`, () => direct(timeout));
    return open(proxy.href, () => {
      const limits = { timeout, ...trusted };
      const ways = { proxyTunnel: false, requestTls: limits, proxyTls: limits, connect: limits };
      return new ProxyAgent({ uri: proxy.href, ...UNHURRIED, ...ways });
    });
  };

  return {
    send: (outgoing) => exchange(outgoing, route(outgoing.url)),
    async stream(url, headers, signal, lookup) {
      const isGuarded = lookup !== undefined && proxyFor(url, settings) === undefined;
      const dispatcher = isGuarded ? direct(DOWNLOAD_CONNECT_MS, lookup) : route(url, DOWNLOAD_CONNECT_MS);
      try {
        const { statusCode, headers: told, body } = await request(url, { dispatcher, headers, signal });
        body.on("error", () => {}); // `close` ends a body that is not read to its end.
        const close = () => {
          body.destroy();
          if (isGuarded) void dispatcher.destroy();
        };
        return { status: statusCode, headers: told, body, close };
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        const cause = failureOf(error, false);
        throw new Error(accountOf(cause), { cause });
      }
    },
    close() {
      for (const dispatcher of opened.values()) void dispatcher.destroy();
    },
  };
}

// Undici's own limits on the time of headers and body are off: the caller has one limit for all of it.
const UNHURRIED = { headersTimeout: 0, bodyTimeout: 0 };

async function exchange(outgoing: Outgoing, over: Dispatcher): Promise<Incoming> {
  const { method, url, headers, body = null, timeoutMs, signal } = outgoing;
  const sent = { ever: false };
  const dispatcher = over.compose((dispatch) => (options, handler) => dispatch(options, new Departure(handler, sent)));
  const limit = new AbortController();
  const answering = setTimeout(() => limit.abort(new NoAnswer("timeout")), timeoutMs);
  const connecting = setTimeout(
    () => sent.ever || limit.abort(new NoAnswer("connect-timeout")),
    Math.min(CONNECT_MS, timeoutMs),
  );
  try {
    const answer = await request(url, {
      ...{ dispatcher, method: method as Dispatcher.HttpMethod, headers, body },
      signal: AbortSignal.any([signal, limit.signal]),
    });
    return { status: answer.statusCode, headers: answer.headers, body: await readBody(answer.body) };
  } catch (error) {
    if (error instanceof NotHttp) throw error;
    if (signal.aborted && !(signal.reason instanceof NoAnswer)) throw signal.reason;
    if (error instanceof errors.HTTPParserError) throw new NotHttp("no HTTP", { cause: error });
    throw failureOf(error, sent.ever);
  } finally {
    clearTimeout(answering);
    clearTimeout(connecting);
  }
}

/** Notes that a request leaves: until then nothing of it can have arrived. */
class Departure extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #inner: Dispatcher.DispatchHandler;
  readonly #sent: { ever: boolean };

  constructor(inner: Dispatcher.DispatchHandler, sent: { ever: boolean }) {
    super(inner);
    this.#inner = inner;
    this.#sent = sent;
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#sent.ever = true;
    this.#inner.onRequestStart?.(controller, context);
  }
}

/** Reads what undici says of itself; the rest are codes of the system and of TLS. */
function failureOf(error: unknown, mayHaveArrived: boolean): NoAnswer {
  const told = error instanceof Error ? error.message : "";
  const [isRefusal, status] = /^Proxy response \((\d+)\)/.exec(told) ?? [];
  if (isRefusal !== undefined) return new NoAnswer("proxy", { status: Number(status), mayHaveArrived, cause: error });
  return readFailure(error, mayHaveArrived);
}
