import type { Server } from "node:http";
import { BODY_LIMITS, HEADERS } from "@chest/contracts";
import { isInnerAddress } from "@chest/core/webhooks";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "./config.ts";
import { isProtected, pathOf, unauthorized } from "./plugins/auth.ts";
import { type Login, tokenOf } from "./plugins/authenticate.ts";
import { hangUp } from "./plugins/client-error-handler.ts";
import { noRoute, sendError, toChestError } from "./plugins/errors.ts";
import type { Spend } from "./plugins/rate-limit.ts";
import { type RequestLog, requestIdOf } from "./plugins/requests.ts";
import type { Timeouts } from "./timeouts.ts";

/** Checks tokens, and limits failed attempts. */
interface Door {
  readonly login: Login;
  readonly failedLogins: Spend;
}

/** `/mcp` with a trailing slash is treated like `/mcp`. */
const MCP_SLASH = /^(\/mcp(?:\/oauth)?)\/(?=\?|$)/;

/** Builds Fastify's options that apply before any hook, and the answers to input that never becomes a request. */
export function serverOptions(
  { http }: Config,
  door: Door,
  { timeouts, log }: { readonly timeouts: Timeouts; readonly log: RequestLog },
): FastifyHttpOptions<Server> {
  return {
    logger: false, // A hook writes the log line of each request instead, with chosen fields.
    genReqId: requestIdOf,
    rewriteUrl: ({ url = "/" }) => url.replace(MCP_SLASH, "$1"),
    bodyLimit: BODY_LIMITS.tool,
    trustProxy: http.trustProxyHops === 0 ? false : trustHops(http.trustProxyHops),
    // A hook refuses with the error envelope instead of Node's empty answer.
    return503OnClosing: false,
    connectionTimeout: timeouts.connectionMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // A hook refuses with the error envelope instead of Node's empty answer.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => hangUp(error.code, socket, log),
    frameworkErrors: (_error, request, reply) => void refuseUrl(request, reply, door),
  };
}

/**
 * Trusts this number of proxies, the nearest one only on this machine or a private network. With the count alone, a
 * client that reaches the backend directly could state any address (GHSA-3m5p-2c4r-xxw2), so Fastify 5.12.1 removed
 * counting hops.
 */
function trustHops(hops: number): (address: string, hop: number) => boolean {
  return (address, hop) => hop < hops && (hop > 0 || isInnerAddress(address));
}

/** Refuses a path that does not decode. Without a valid token, the answer does not even say that. */
async function refuseUrl(request: FastifyRequest, reply: FastifyReply, door: Door): Promise<void> {
  reply.header(HEADERS.requestId, request.id);
  try {
    const isStranger = isProtected(pathOf(request.url)) && !(await isLoggedIn(request, door));
    await sendError(reply, isStranger ? unauthorized() : noRoute());
  } catch (error) {
    await sendError(reply, toChestError(error, request));
  }
}

async function isLoggedIn(request: FastifyRequest, { login, failedLogins }: Door): Promise<boolean> {
  if (request.headers.authorization === undefined) return false;
  const token = tokenOf(request);
  if (token !== undefined && (await login(token))) return true;
  await failedLogins(request);
  return false;
}
