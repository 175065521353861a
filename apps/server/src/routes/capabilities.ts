import { BODY_LIMITS, endpoints, MIN_CLIENT_WIRE_VERSION, WIRE_VERSION } from "@chest/contracts";
import { isProjectClosed } from "@chest/core/access";
import { acceptedWith } from "@chest/core/embedding";
import type { HostPorts } from "@chest/core/executor";
import type { Engine } from "@chest/core/ports";
import { RELEASE } from "@chest/runtime";
import type { FastifyInstance } from "fastify";
import { callOf } from "../plugins/caller.ts";
import { serve } from "./define-route.ts";

/** Features of this backend. A client checks for a feature before it uses it. */
const FEATURES = [
  "client-embed",
  "pending-resync",
  "memories-pending-list",
  "memories-embedding-update",
  "embedding-batch",
  "pending-claim",
  "query-embedding",
  "recall-explain",
  "git-state",
  "sources",
  "idempotency",
  "session-sync-lines",
  "session-sync-options",
  "hooks",
  "resources",
  "mcp-http",
] as const;

interface Capable extends Pick<HostPorts, "limits">, Pick<Engine, "identities" | "access"> {
  /** Tells whether this backend embeds memories now. */
  readonly canEmbed: () => Promise<boolean>;
}

export function capabilityRoutes(app: FastifyInstance, { canEmbed, identities, access, limits }: Capable): void {
  serve(app, endpoints.capabilities, async (request, reply) => {
    const { caller } = callOf(request, reply);
    const [hasEmbedder, known, isClosed] = await Promise.all([
      canEmbed(),
      identities.current(),
      isProjectClosed(caller, access),
    ]);
    return {
      api_version: WIRE_VERSION,
      min_required_client_version: MIN_CLIENT_WIRE_VERSION,
      server_version: RELEASE,
      server_has_embedder: hasEmbedder,
      server_time: new Date().toISOString(),
      features: [...FEATURES],
      embedding: {
        ready: hasEmbedder,
        active: known.active,
        ...(known.next ? { next: known.next } : {}),
        accepted: [...acceptedWith(known)],
      },
      caller: {
        member: caller.member.name,
        token_expires_at: caller.token?.expiresAt?.toISOString() ?? null,
        ...(isClosed ? { is_project_closed: true as const } : {}),
      },
      limits: { content_chars: limits.contentChars, tool_body_bytes: BODY_LIMITS.tool },
    };
  });
}
