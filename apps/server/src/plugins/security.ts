import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Security headers for an API that serves no pages; a page says what it needs in its route's `helmet`. */
export async function addSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Whoever ends TLS says this; over plain http it means nothing.
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" },
  });
}
