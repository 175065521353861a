import { ChestError, compareVersions, HEADERS, MIN_CLIENT_WIRE_VERSION, type Scope, tooOld } from "@chest/contracts";
import { lacksScope } from "@chest/core/access";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Identity, type Login, tokenOf } from "./authenticate.ts";
import { assertSameOrigin, type BrowserLogin, cookieOf } from "./browser.ts";
import { readCaller, statedClient } from "./caller.ts";
import type { Spend } from "./rate-limit.ts";

/** Access to a route: `open` to all, `member` for any valid token, or a scope that the token needs. */
export type Access = "open" | "member" | Scope;

declare module "fastify" {
  interface FastifyRequest {
    /** Set for a request with a valid token. */
    identity: Identity | undefined;
  }
  interface FastifyContextConfig {
    /** Without a value, the route requires a token. */
    access?: Access;
    /**
     * Set for a route that accepts only access tokens of OAuth clients; builds the challenge that says where to get
     * one.
     */
    challenge?: (error?: string, scopes?: string) => string;
  }
}

export interface AuthOptions {
  readonly login: Login;
  /** Checks access tokens of OAuth clients. */
  readonly grantLogin: Login;
  readonly browserLogin: BrowserLogin;
  readonly failedLogins: Spend;
  /** Error for a request without a route. */
  absent(request: FastifyRequest): ChestError;
}

/** Checks a request before its body is read, in this order: token, route, scope, wire version. */
export async function addAuth(
  app: FastifyInstance,
  { login, grantLogin, browserLogin, failedLogins, absent }: AuthOptions,
): Promise<void> {
  app.decorateRequest("caller", undefined);
  app.decorateRequest("identity", undefined);
  await app.register(bearerAuth, {
    keys: [],
    auth: async (bearer: string, request: FastifyRequest) => {
      request.identity = await login(bearer);
      return request.identity !== undefined;
    },
    addHook: false,
    // Accepts the scheme in upper or lower case.
    specCompliance: "rfc6749",
  });
  const verify = app.verifyBearerAuth;
  if (!verify) throw new Error("bearer-auth decorates nothing");

  app.addHook("onRequest", (request, reply, done) => {
    if (accessTo(request) === "open") return done(request.is404 ? absent(request) : undefined);
    if (request.routeOptions.config?.challenge) {
      enterByGrant(request).then(done, done);
      return;
    }
    const cookie = request.headers.authorization === undefined ? cookieOf(request) : undefined;
    if (cookie !== undefined) {
      enterByCookie(request, cookie).then(done, done);
      return;
    }
    verify(request, reply, (error) => {
      const { identity } = request;
      if (identity) return done(refusalOf(request, identity));
      // If the store does not answer, the token does not count as wrong.
      if (error instanceof ChestError) return done(error);
      if (request.headers.authorization === undefined) return done(unauthorized());
      // Only failed logins are limited: a right token passes even from an address that also sends wrong ones.
      failedLogins(request).then(() => done(unauthorized()), done);
    });
  });

  async function enterByGrant(request: FastifyRequest): Promise<ChestError | undefined> {
    const token = tokenOf(request);
    request.identity = token === undefined ? undefined : await grantLogin(token);
    if (request.identity) return refusalOf(request, request.identity);
    if (token !== undefined) await failedLogins(request);
    return new ChestError("UNAUTHORIZED", "this route needs an access token of this backend's OAuth server", {
      hint: "let the client sign in; with a token of your own use `/mcp`",
    });
  }

  /**
   * Authenticates a request by its cookie, with the same result as by a token; a request that changes anything must
   * come from the page itself.
   */
  async function enterByCookie(request: FastifyRequest, cookie: string): Promise<ChestError | undefined> {
    request.identity = await browserLogin(cookie, request);
    if (!request.identity) {
      await failedLogins(request);
      return unauthorized();
    }
    if (request.method !== "GET" && request.method !== "HEAD") assertSameOrigin(request);
    return refusalOf(request, request.identity);
  }

  function refusalOf(request: FastifyRequest, identity: Identity): ChestError | undefined {
    try {
      return refusal(request, identity);
    } catch (headers) {
      if (headers instanceof ChestError) return headers;
      throw headers;
    }
  }

  function refusal(request: FastifyRequest, identity: Identity): ChestError | undefined {
    request.caller = readCaller(request.headers, identity);
    if (request.is404) return absent(request);
    const required = accessTo(request);
    if (required !== "open" && required !== "member" && !identity.scopes.has(required)) return lacksScope(required);
    const stated = statedClient(request.headers[HEADERS.client]);
    if (!stated || compareVersions(stated.wire, MIN_CLIENT_WIRE_VERSION) >= 0) return undefined;
    return tooOld(stated.wire, MIN_CLIENT_WIRE_VERSION);
  }
}

const PROTECTED = ["/api", "/capabilities", "/diagnostics", "/mcp", "/memories", "/metrics"];

/** Without a token, these paths do not reveal whether a route exists. */
export const isProtected = (path: string): boolean =>
  PROTECTED.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

function accessTo(request: FastifyRequest): Access {
  if (request.is404) return isProtected(pathOf(request.url)) ? "member" : "open";
  return request.routeOptions.config.access ?? "member";
}

export function unauthorized(): ChestError {
  return new ChestError("UNAUTHORIZED", "this route needs a valid token", {
    hint: "send `Authorization: Bearer …` with a token of this backend; the operator creates them",
  });
}
