import { hash, timingSafeEqual } from "node:crypto";
import { ChestError, compareVersions, HEADERS, MIN_CLIENT_WIRE_VERSION, type Scope, tooOld } from "@chest/contracts";
import { lacksScope } from "@chest/core";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readCaller, statedClient } from "../caller.ts";
import type { Config } from "../config.ts";
import type { Spend } from "./limits.ts";

/** Who may use a route: everybody, whoever has a token, or a token with this scope. */
export type Access = "open" | "member" | Scope;

declare module "fastify" {
  interface FastifyContextConfig {
    /** A route that says nothing wants a token. */
    access?: Access;
  }
}

export interface AuthOptions {
  readonly access: Config["access"];
  readonly failedLogins: Spend;
  /** What a request without a route is told. */
  absent(request: FastifyRequest): ChestError;
}

/** In this order, before a body is read: token, route, scope, wire version. */
export async function addAuth(app: FastifyInstance, { access, failedLogins, absent }: AuthOptions): Promise<void> {
  app.decorateRequest("caller", undefined);
  await app.register(bearerAuth, {
    keys: [],
    auth: sameToken(access.token),
    addHook: false,
    // The scheme in any case.
    specCompliance: "rfc6749",
  });
  const verify = app.verifyBearerAuth;
  if (!verify) throw new Error("bearer-auth decorates nothing");

  app.addHook("onRequest", (request, reply, done) => {
    if (accessTo(request) === "open") return done(request.is404 ? absent(request) : undefined);
    verify(request, reply, (error) => {
      if (!error) return done(refusal(request));
      if (request.headers.authorization === undefined) return done(unauthorized());
      // Only what failed is counted: a right token passes, also from an address where somebody is guessing.
      failedLogins(request).then(() => done(unauthorized()), done);
    });
  });

  function refusal(request: FastifyRequest): ChestError | undefined {
    request.caller = readCaller(request.headers, access.scopes);
    if (request.is404) return absent(request);
    const wanted = accessTo(request);
    if (wanted !== "open" && wanted !== "member" && !access.scopes.has(wanted)) return lacksScope(wanted);
    const stated = statedClient(request.headers[HEADERS.client]);
    if (!stated || compareVersions(stated.wire, MIN_CLIENT_WIRE_VERSION) >= 0) return undefined;
    return tooOld(stated.wire, MIN_CLIENT_WIRE_VERSION);
  }
}

const PROTECTED = ["/api", "/capabilities", "/diagnostics", "/mcp", "/memories", "/metrics"];

/** Whether something is there is not told below these without a token. */
export const isProtected = (path: string): boolean =>
  PROTECTED.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));

export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

function accessTo(request: FastifyRequest): Access {
  if (request.is404) return isProtected(pathOf(request.url)) ? "member" : "open";
  return request.routeOptions.config.access ?? "member";
}

/** Compares digests, which are of one length and say nothing of the token, in constant time. */
export function sameToken(expected: string): (given: string) => boolean {
  const digest = hash("sha256", expected, "buffer");
  return (given) => timingSafeEqual(hash("sha256", given, "buffer"), digest);
}

export function unauthorized(): ChestError {
  return new ChestError("UNAUTHORIZED", "this route wants a valid token", {
    hint: "send `Authorization: Bearer …` with the backend's token; the operator knows it",
  });
}
