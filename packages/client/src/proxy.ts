import { isLoopback } from "./address.ts";

/** The proxies of the environment, as text. */
export interface ProxySettings {
  readonly https?: string | undefined;
  readonly http?: string | undefined;
  /** `NO_PROXY`: hosts, `.domains` and `host:port`, by comma or space; `*` is all. */
  readonly except?: string | undefined;
}

/** Lower case counts first, as with curl. */
export const readProxy = (env: Readonly<Record<string, string | undefined>>): ProxySettings => ({
  https: env.https_proxy || env.HTTPS_PROXY,
  http: env.http_proxy || env.HTTP_PROXY,
  except: env.no_proxy || env.NO_PROXY,
});

/** Proxy for a URL; undefined if the URL is reached directly, as this machine always is. */
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
