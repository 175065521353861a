import { join } from "node:path";
import {
  type Backend,
  knownCapabilities,
  openBackend,
  openOutboxFolder,
  remoteExecutor,
  senderOf,
} from "@chest/client";
import { WIRE_VERSION } from "@chest/contracts";
import { TOOLS } from "@chest/core/tools";
import { RELEASE } from "@chest/runtime";
import type { Config, Reach } from "./config.ts";

/** Client of the backend for this program. */
export const openReach = (reach: Reach): Backend =>
  openBackend({
    ...reach,
    tokenFrom: reach.tokenFrom ?? (reach.tokenFile === undefined ? "CHEST_API_TOKEN" : `\`${reach.tokenFile}\``),
    client: () => ({ name: "chest-index", version: RELEASE, wire: WIRE_VERSION }),
  });

/** Calls a backend, then closes the connection. */
export async function withBackend<T>(reach: Reach, work: (backend: Backend) => Promise<T>): Promise<T> {
  const backend = openReach(reach);
  try {
    return await work(backend);
  } finally {
    backend.close();
  }
}

/** Writes the parameters or the query of a request. */
export const textsOf = (input: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(Object(input)).map(([name, value]) => [name, String(value)]));

export const openOutbox = ({ dataDir }: Config) => openOutboxFolder(join(dataDir, "outbox"));

/** Opens a courier that delivers one queued call. */
export function openCourier(config: Config, reach: Reach) {
  const backend = openReach(reach);
  const capabilities = knownCapabilities(backend);
  const folder = openOutbox(config);
  return {
    url: backend.url,
    folder,
    sender: senderOf({ folder: folder.path, url: backend.url, token: reach.token, capabilities }),
    backend: remoteExecutor(TOOLS, backend, capabilities),
    honoursKeys: async () => (await capabilities.current())?.features.includes("idempotency"),
    close: () => backend.close(),
  };
}
