import type { FastifyInstance } from "fastify";
import { ISSUER_PATH, RESOURCE_PATH } from "../oauth/addresses.ts";
import { pathOf } from "./auth.ts";

export interface CrossOriginOptions {
  /** `Origin` values that may use MCP. */
  readonly origins: readonly string[];
  readonly hasOauth: boolean;
}

// These routes ignore cookies, so a page on any site may call them like any program.
const OF_CLIENTS = ["token", "register", "revoke"].map((each) => `${ISSUER_PATH}/${each}`);
const METADATA = /^\/\.well-known\/oauth-|\/\.well-known\/oauth-authorization-server$/;

const HEADERS = {
  "access-control-allow-methods": "GET, POST, DELETE",
  "access-control-allow-headers":
    "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, x-chest-project, x-chest-session, x-chest-time-zone",
  "access-control-expose-headers": "www-authenticate, mcp-session-id, retry-after",
  "access-control-max-age": "600",
};

/** Lets MCP clients in browsers read answers, including refusals, and answers their preflight requests. */
export function addCrossOrigin(app: FastifyInstance, { origins, hasOauth }: CrossOriginOptions): void {
  const allowed = (path: string, origin: string): string | undefined => {
    if (path === "/mcp" || (hasOauth && path === RESOURCE_PATH)) return origins.includes(origin) ? origin : undefined;
    return hasOauth && (OF_CLIENTS.includes(path) || METADATA.test(path)) ? "*" : undefined;
  };
  app.addHook("onRequest", async ({ url, method, headers }, reply) => {
    const { origin } = headers;
    const granted = origin === undefined ? undefined : allowed(pathOf(url), origin);
    if (granted === undefined) return;
    reply.headers({ ...HEADERS, "access-control-allow-origin": granted });
    if (granted !== "*") reply.header("vary", "origin");
    if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) return reply.code(204).send();
  });
}
