import type { Endpoint } from "@chest/contracts";

/** A backend's base URL as it may be shown: its prefix kept; credentials, query and trailing slashes cut. */
export function readBaseUrl(text: string): string {
  const url = new URL(text);
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return url.origin + path;
}

/** Builds an endpoint's address below a base URL; `:name` is replaced by the part of that name. */
export function addressOf(
  baseUrl: string,
  endpoint: Pick<Endpoint, "path">,
  parts: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): URL {
  const path = endpoint.path.replace(/:([a-z_]+)/gi, (_, name: string) => encodeURIComponent(parts[name] ?? ""));
  const url = new URL(baseUrl + path);
  url.search = new URLSearchParams(query).toString();
  return url;
}

/** Whether this host is the machine itself. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);
