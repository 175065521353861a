const PROTOCOL = "io.modelcontextprotocol/protocolVersion";

/** Whether a message states its protocol itself, as those do that come without a handshake. */
export function statesProtocol(message: unknown): boolean {
  const { params } = (message ?? {}) as { params?: { _meta?: unknown } | null };
  const meta = params?._meta;
  return meta !== null && typeof meta === "object" && PROTOCOL in meta;
}

// 2025-03-26 is the one version in which a message may be a batch.
const WITH_BATCHES = "2025-03-26";
const NEXT = "2025-06-18";

/** An opening that asks for the version with batches, as one that asks for the next: a server offers what it can do. */
export function withoutBatches<T>(message: T): T {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { protocolVersion?: unknown } };
  if (method !== "initialize" || params?.protocolVersion !== WITH_BATCHES) return message;
  return { ...message, params: { ...params, protocolVersion: NEXT } };
}
