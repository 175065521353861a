import { join } from "node:path";
import {
  type KnownCapabilities,
  knownCapabilities,
  Outbox,
  openBackend,
  openOutboxFolder,
  remoteExecutor,
  remotePending,
  remoteResources,
  remoteSnapshots,
  senderOf,
  withQueryVector,
} from "@chest/client";
import type { StatedClient } from "@chest/contracts";
import { takeText } from "@chest/core/embedding";
import type { EmbeddingIdentity } from "@chest/core/ports";
import type { Limits } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { ensureFolder, StartError } from "@chest/runtime";
import type { EmbeddingChoice, RemotePlace } from "./config.ts";
import { openOwnEmbedding } from "./embedding.ts";
import type { Log } from "./log.ts";
import type { ToolBackend } from "./memory-backend.ts";

export interface RemoteOptions {
  readonly dataDir: string;
  readonly embedding: EmbeddingChoice;
  readonly limits: Limits;
  readonly log: Log;
  readonly stated: () => StatedClient;
}

/** The tools on a backend, with an outbox for the writes it cannot take now, and a model where it has none. */
export function openRemote(
  place: RemotePlace,
  { dataDir, embedding, limits, log, stated }: RemoteOptions,
): ToolBackend {
  const backend = openBackend({ ...place, client: stated });
  const capabilities = knownCapabilities(backend);
  const wanted = wantedHere(embedding.mode, capabilities);
  const own =
    embedding.mode === "false"
      ? undefined
      : openOwnEmbedding(embedding, { queue: remotePending(backend, capabilities), wanted }, log);
  const embedded = own
    ? [withQueryVector({ embedders: own.embedders, wanted: askedHere, withinMs: limits.queryEmbedMs })]
    : [];
  const remote = remoteExecutor(TOOLS, backend, capabilities, takeText(own?.background.take), ...embedded);
  const outboxDir = join(dataDir, "outbox");
  const outbox = new Outbox({
    folder: openOutboxFolder(outboxDir),
    url: backend.url,
    sender: senderOf({ folder: outboxDir, url: backend.url, token: place.token, capabilities }),
    backend: remote,
    tools: TOOLS,
    limits,
    log,
    honoursKeys: async () => (await capabilities.current())?.features.includes("idempotency"),
  });
  const hasOutbox = place.hasOutbox && canHold(dataDir, log);
  return {
    executor: hasOutbox ? outbox : remote,
    resources: remoteResources(backend),
    snapshots: (call) => remoteSnapshots(backend, call),
    start() {
      if (hasOutbox) outbox.start();
      own?.background.start();
    },
    finish: async (limitMs) => own?.finish(limitMs),
    interrupt: () => backend.close(),
    async close() {
      await outbox.close();
      await own?.close();
    },
  };

  async function askedHere(): Promise<EmbeddingIdentity | undefined> {
    if (!(await capabilities.current())?.features.includes("query-embedding")) return undefined;
    return (await wanted())[0];
  }
}

/** Without a folder to wait in, a write that cannot be delivered is refused. */
function canHold(dataDir: string, log: Log): boolean {
  try {
    ensureFolder(dataDir);
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.warn(
      { problem: error.message, hint: error.hint },
      "no outbox: writes that the backend does not accept are refused",
    );
    return false;
  }
}

/** Identities that this machine embeds: the backend's active one first, none where the backend embeds itself. */
const wantedHere =
  (mode: EmbeddingChoice["mode"], capabilities: KnownCapabilities) => async (): Promise<EmbeddingIdentity[]> => {
    const spoken = await capabilities.current();
    if (!spoken?.embedding.active || (mode === "auto" && spoken.server_has_embedder)) return [];
    const { active, next } = spoken.embedding;
    return next ? [active, next] : [active];
  };
