import { BODY_LIMITS, endpoints, MIN_CLIENT_WIRE_VERSION, WIRE_VERSION } from "@chest/contracts";
import type { HostPorts } from "@chest/core";
import { RELEASE } from "@chest/runtime";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.ts";

/** What this backend can do; a client asks before it relies on it. */
const FEATURES = [
  "client-embed",
  "pending-resync",
  "memories-pending-list",
  "memories-embedding-update",
  "embedding-batch",
  "query-embedding",
  "idempotency",
  "resources",
  "mcp-http",
] as const;

type Capable = Pick<HostPorts, "embedder" | "accepted" | "limits">;

export function capabilityRoutes(app: FastifyInstance, { embedder, accepted, limits }: Capable): void {
  const canEmbed = embedder.identity !== undefined;
  serve(app, endpoints.capabilities, async () => ({
    api_version: WIRE_VERSION,
    min_required_client_version: MIN_CLIENT_WIRE_VERSION,
    server_version: RELEASE,
    server_has_embedder: canEmbed,
    server_time: new Date().toISOString(),
    features: [...FEATURES],
    embedding: { ready: canEmbed, active: accepted[0], accepted: [...accepted] },
    limits: { content_chars: limits.contentChars, tool_body_bytes: BODY_LIMITS.tool },
  }));
}
