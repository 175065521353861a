import { join } from "node:path";
import {
  knownCapabilities,
  Outbox,
  openBackend,
  openOutboxFolder,
  remoteExecutor,
  remoteResources,
} from "@chest/client";
import type { StatedClient } from "@chest/contracts";
import { type Limits, TOOLS, withoutTextToEmbed } from "@chest/core";
import type { RemotePlace } from "./config.ts";
import type { Log } from "./log.ts";
import type { Place } from "./place.ts";

export interface RemoteOptions {
  readonly dataDir: string;
  readonly limits: Limits;
  readonly log: Log;
  readonly stated: () => StatedClient;
}

/** The tools on a backend, with an outbox for the writes it cannot take now. */
export function openRemote(place: RemotePlace, { dataDir, limits, log, stated }: RemoteOptions): Place {
  const backend = openBackend({ ...place, client: stated });
  const capabilities = knownCapabilities(backend);
  const remote = withoutTextToEmbed()(remoteExecutor(TOOLS, backend, capabilities));
  const outbox = new Outbox({
    folder: openOutboxFolder(join(dataDir, "outbox")),
    url: backend.url,
    backend: remote,
    tools: TOOLS,
    limits,
    log,
    honoursKeys: async () => (await capabilities.current())?.features.includes("idempotency"),
  });
  return {
    executor: place.hasOutbox ? outbox : remote,
    resources: remoteResources(backend),
    start: () => (place.hasOutbox ? outbox.start() : undefined),
    interrupt: () => backend.close(),
    close: () => outbox.close(),
  };
}
