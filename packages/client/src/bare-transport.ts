import type { Agent, RequestOptions } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { type Incoming, type Outgoing, readBody, type TransportOptions } from "./exchange.ts";
import { NoAnswer, NotHttp, readFailure } from "./no-answer.ts";
import { proxyFor } from "./proxy.ts";

/**
 * Node's HTTP and TLS modules, loaded at first use. An `import` of `node:http` reads all its exports, and one of them loads
 * Node's own undici: 55 ms that a hook would wait. TLS takes another 10 ms, and is loaded only for `https:`.
 */
const http = () => process.getBuiltinModule("node:http");
const https = () => process.getBuiltinModule("node:https");
const tls = () => process.getBuiltinModule("node:tls");

const CONNECT_MS = 2_000;

/**
 * HTTP for a program of one or two requests, such as a hook: undici would cost each of its runs 100 ms. A proxy is asked
 * by Node's own agent, which can do that from Node 22.21 and 24.5 on; an older one asks the backend directly.
 */
export function openTransport({ ca, proxy: settings = {} }: TransportOptions = {}) {
  const agents = new Map<string, Agent>();
  const agentFor = (url: URL): Agent => {
    const proxy = proxyFor(url, settings)?.href;
    const key = `${url.protocol} ${proxy}`;
    const options = {
      keepAlive: true,
      ...(ca !== undefined && { ca: [...tls().rootCertificates, ca] }),
      ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
    };
    const agent = agents.get(key) ?? new (url.protocol === "https:" ? https() : http()).Agent(options);
    agents.set(key, agent as Agent);
    return agent as Agent;
  };
  return {
    send: (outgoing: Outgoing): Promise<Incoming> => exchange(outgoing, { agent: agentFor(outgoing.url) }),
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

/** One request and its whole answer. Rejects as `Transport.send` does. */
function exchange(outgoing: Outgoing, route: RequestOptions): Promise<Incoming> {
  const { method, url, body, timeoutMs, signal } = outgoing;
  const isSecure = url.protocol === "https:";
  const headers = { ...outgoing.headers, ...lengthOf(body) };
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

/** A kept socket is open already. One that is still in its TLS handshake has sent nothing. */
const isOpen = (socket: Socket): boolean =>
  !socket.connecting && (socket as Partial<TLSSocket>).getProtocol?.() !== null;

const isUnreadable = (error: Error): boolean => "code" in error && String(error.code).startsWith("HPE_");

const isOurs = (error: unknown, signal: AbortSignal): boolean =>
  error instanceof NotHttp || (signal.aborted && error === signal.reason && !(error instanceof NoAnswer));
