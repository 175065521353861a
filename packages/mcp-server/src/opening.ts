const PROTOCOL = "io.modelcontextprotocol/protocolVersion";

/** Whether a message states its protocol itself, as those do that come without a handshake. */
export function statesProtocol(message: unknown): boolean {
  const { params } = (message ?? {}) as { params?: { _meta?: unknown } | null };
  const meta = params?._meta;
  return meta !== null && typeof meta === "object" && PROTOCOL in meta;
}
