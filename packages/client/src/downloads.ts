export { tryLock } from "./outbox/lock.ts";

import type { Transport, TransportOptions } from "./exchange.ts";

/** Opens the transport for large downloads, with the same proxies and authorities. Loaded on demand. */
export async function openDownloads(options: TransportOptions): Promise<Pick<Transport, "stream" | "close">> {
  const { openTransport } = await import("./transport.ts");
  return openTransport(options);
}
