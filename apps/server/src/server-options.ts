import type { Server } from "node:http";
import { BODY_LIMITS, HEADERS } from "@chest/contracts";
import { isInnerAddress } from "@chest/core";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "./config.ts";
import { isProtected, pathOf, unauthorized } from "./plugins/auth.ts";
import { type Login, tokenOf } from "./plugins/authenticate.ts";
import { hangUp } from "./plugins/client-error-handler.ts";
import { noRoute, sendError, toChestError } from "./plugins/errors.ts";
import type { Spend } from "./plugins/rate-limit.ts";
import { type RequestLog, requestIdOf } from "./plugins/requests.ts";
import type { Timeouts } from "./timeouts.ts";

/** Checks tokens, and counts the wrong ones. */
interface Door {
  readonly login: Login;
  readonly failedLogins: Spend;
}

/** Clients that were given the address of `/mcp` with a slash at its end mean the same. */
const MCP_SLASH = /^(\/mcp(?:\/oauth)?)\/(?=\?|$)/;

/** Options of Fastify before there are hooks, and its answers to input that never becomes a request. */
export function serverOptions(
  { http }: Config,
  door: Door,
  { timeouts, log }: { readonly timeouts: Timeouts; readonly log: RequestLog },
): FastifyHttpOptions<Server> {
  return {
    logger: false, // One line a request is written by a hook, with fields of our choice.
    genReqId: requestIdOf,
    rewriteUrl: ({ url = "/" }) => url.replace(MCP_SLASH, "$1"),
    bodyLimit: BODY_LIMITS.tool,
    trustProxy: http.trustProxyHops === 0 ? false : believing(http.trustProxyHops),
    // Prevents Node's empty answer, because a hook refuses with the envelope.
    return503OnClosing: false,
    connectionTimeout: timeouts.connectionMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    http: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node would refuse with an empty answer; a hook refuses with our envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => hangUp(error.code, socket, log),
    frameworkErrors: (_error, request, reply) => void refuseUrl(request, reply, door),
  };
}

/**
 * Believes so many proxies, the nearest only from this machine or a private network. Fastify 5.12.1 took counting hops
 * away (GHSA-3m5p-2c4r-xxw2): by the count alone, a client that gets at the backend itself says which address it has.
 */
function believing(hops: number): (address: string, hop: number) => boolean {
  return (address, hop) => hop < hops && (hop > 0 || isInnerAddress(address));
}

/** A path that does not decode: no route has it, and without a token not even that is told. */
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
