import type { Transport, TransportOptions } from "./transport.ts";

/** What downloads large files, over proxies and with authorities as everything else. Loaded when it is asked for. */
export async function openDownloads(options: TransportOptions): Promise<Pick<Transport, "stream" | "close">> {
  const { openTransport } = await import("./transport.ts");
  return openTransport(options);
}
