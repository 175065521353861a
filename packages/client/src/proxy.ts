import { connect as connectTcp, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { isLoopback } from "./address.ts";
import { NoAnswer } from "./no-answer.ts";
import { tls } from "./node-http.ts";
import type { ProxySettings } from "./proxy-settings.ts";

/** The proxy on the way to a URL; undefined when it is reached directly, as this machine always is. */
export function proxyFor(url: URL, { https, http, except = "" }: ProxySettings): URL | undefined {
  const proxy = url.protocol === "https:" ? https : http;
  if (!proxy || isLoopback(url.hostname)) return undefined;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const isExcepted = except.split(/[\s,]+/).some((entry) => entry !== "" && matches(entry, url.hostname, port));
  return isExcepted ? undefined : new URL(/^[a-z]+:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
}

function matches(entry: string, hostname: string, port: string): boolean {
  if (entry === "*") return true;
  const [, host = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = host.replace(/^\*?\./, "").toLowerCase();
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (!proxy.username) return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** A host as sockets take it: an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const MAX_REPLY_CHARS = 16_384;

/** A socket through a proxy's CONNECT to `host:port`; nothing of the request has left yet when it fails. */
export function openTunnel(proxy: URL, target: string, ca: string[] | undefined): Promise<Socket | TLSSocket> {
  const host = bareHost(proxy);
  const socket =
    proxy.protocol === "https:"
      ? tls().connect({ host, port: Number(proxy.port || 443), servername: host, ca })
      : connectTcp({ host, port: Number(proxy.port || 80) });
  return new Promise((resolve, reject) => {
    let reply = "";
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    const read = (chunk: Buffer) => {
      reply += chunk.toString("latin1");
      const end = reply.indexOf("\r\n\r\n");
      if (end < 0 && reply.length < MAX_REPLY_CHARS) return;
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(reply)?.[1];
      if (end < 0 || status !== "200") return fail(new NoAnswer("proxy", { status: Number(status ?? 0) }));
      socket.off("data", read).off("error", fail).off("close", hungUp).pause();
      resolve(socket);
    };
    const hungUp = () => fail(new NoAnswer("proxy"));
    socket.on("data", read).once("error", fail).once("close", hungUp);
    const authorization = Object.entries(proxyAuthorization(proxy)).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${authorization.join("")}\r\n`);
  });
}
