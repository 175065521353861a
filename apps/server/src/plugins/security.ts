import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import helmet from "helmet";

type Policy = Readonly<Record<string, readonly string[]>>;

/** Policy of a page that loads only files of this backend; the page adds its scripts and styles. */
export const OWN_FILES = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'", "data:"],
} as const satisfies Policy;

/** Adds Helmet's headers with one content security policy. They are equal for every request, so they are built once. */
export function securityHeaders(policy: Policy): Readonly<Record<string, string>> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const protect = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { ...policy } },
    // The proxy that ends TLS sends this header; over plain HTTP it has no effect.
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" },
  });
  protect(response.req, response, (error) => {
    if (error) throw error;
  });
  return Object.fromEntries(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}

/** Policy for an API without pages: nothing may be loaded or framed. A page replaces it by its own. */
export function addSecurityHeaders(app: FastifyInstance): void {
  const headers = securityHeaders({ defaultSrc: ["'none'"], frameAncestors: ["'none'"] });
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
