import type { Agent, RequestOptions } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { exchange, type Incoming, type Outgoing } from "./exchange.ts";
import { http, https, tls } from "./node-http.ts";
import { bareHost, openTunnel, proxyAuthorization, proxyFor } from "./proxy.ts";
import type { ProxySettings } from "./proxy-settings.ts";
import { type Streamed, stream } from "./stream.ts";

/** One HTTP exchange, over whatever lies between. */
export interface Transport {
  send(request: Outgoing): Promise<Incoming>;
  /**
   * A GET of something large, read while it comes.
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

export interface TransportOptions {
  /** PEM of an authority to trust beside the usual ones. */
  readonly ca?: string | undefined;
  readonly proxy?: ProxySettings | undefined;
}

/**
 * HTTP over Node's own client: kept connections, proxies, an authority of one's own.
 * Undici costs 100 ms and 25 MB at its first request on Node 24, and its release 8 does not load on Node 20.
 */
export function openTransport({ ca, proxy: settings = {} }: TransportOptions = {}): Transport {
  const trusted = once(() => (ca === undefined ? undefined : [...tls().rootCertificates, ca]));
  const plain = once(() => new (http().Agent)({ keepAlive: true }));
  const secure = once(() => new (https().Agent)({ keepAlive: true, ca: trusted() }));
  const tunnels = new Map<string, Agent>();

  const route = (url: URL): RequestOptions => {
    const proxy = proxyFor(url, settings);
    if (!proxy) return { agent: url.protocol === "https:" ? secure() : plain() };
    if (url.protocol === "http:") {
      const headers = { ...proxyAuthorization(proxy), host: url.host };
      return { agent: plain(), hostname: bareHost(proxy), port: proxy.port || 80, path: url.href, headers };
    }
    const agent = tunnels.get(proxy.href) ?? tunnelAgent(proxy, trusted());
    tunnels.set(proxy.href, agent);
    return { agent };
  };

  return {
    send: (outgoing) => exchange(outgoing, route(outgoing.url)),
    stream: (url, headers, signal, lookup) =>
      stream(url, headers, signal, lookup && !proxyFor(url, settings) ? { ...route(url), lookup } : route(url)),
    close() {
      for (const agent of [...plain.made(), ...secure.made(), ...tunnels.values()]) agent.destroy();
    },
  };
}

interface Target {
  readonly host: string;
  readonly port: number | string;
}

/** An agent whose every connection is a tunnel through the proxy, with TLS to the target inside. */
function tunnelAgent(proxy: URL, ca: string[] | undefined): Agent {
  const createConnection = ({ host, port }: Target, done: (error: Error | null, socket?: Socket) => void) => {
    const servername = isIP(host) ? "" : host;
    openTunnel(proxy, `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, ca).then(
      (socket) => done(null, tls().connect({ socket, servername, host, ca })),
      (error: Error) => done(error),
    );
  };
  return Object.assign(new (https().Agent)({ keepAlive: true }), { createConnection });
}

/** Made when it is first wanted; `made` tells what was. */
function once<T>(make: () => T): (() => T) & { made(): readonly T[] } {
  const made: T[] = [];
  const get = () => {
    if (made.length === 0) made.push(make());
    return made[0] as T;
  };
  return Object.assign(get, { made: () => made });
}
