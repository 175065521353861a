import { BODY_LIMITS, endpoints, MIN_CLIENT_WIRE_VERSION, WIRE_VERSION } from "@chest/contracts";
import { RELEASE } from "@chest/runtime";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.ts";

/** What this backend can do beyond 1.5; a client asks before it relies on it. */
const FEATURES = ["idempotency", "mcp-http"] as const;

export function capabilityRoutes(app: FastifyInstance, { contentChars }: { readonly contentChars: number }): void {
  serve(app, endpoints.capabilities, async () => ({
    api_version: WIRE_VERSION,
    min_required_client_version: MIN_CLIENT_WIRE_VERSION,
    server_version: RELEASE,
    server_has_embedder: false,
    server_time: new Date().toISOString(),
    features: [...FEATURES],
    embedding: { ready: false, active: null, accepted: [] },
    limits: { content_chars: contentChars, tool_body_bytes: BODY_LIMITS.tool },
  }));
}
