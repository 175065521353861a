import { knownCapabilities, remotePending } from "@chest/client";
import { assertSpoken, ChestError, endpoints } from "@chest/contracts";
import type { EmbeddingIdentity, PendingQueue } from "@chest/core/ports";
import { withBackend } from "../connect/backend.ts";
import type { Config } from "../connect/config.ts";
import { withStore } from "../connect/local-store.ts";

const SAMPLE = 16;

/** Queue of memories without a vector, on this machine or on a backend. */
export interface Backlog {
  readonly queue: PendingQueue;
  readonly active: EmbeddingIdentity;
  /** Reads some pending texts and the number of all, without claiming any. */
  sample(): Promise<{ readonly remaining: number; readonly texts: readonly string[] }>;
}

/** @param timeoutMs limit for each call of a backend. */
export async function withBacklog<T>(
  config: Config,
  work: (backlog: Backlog) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const { remote } = config;
  if (!remote) {
    return withStore(config, async (engine) => {
      const { active } = await engine.identities.current();
      const queue = engine.pending;
      return work({
        queue,
        active,
        async sample() {
          const ask = { identity: active, cursor: 0, limit: SAMPLE, leaseMs: 5000, claimant: "pending-resync" };
          const { items, remaining } = await queue.claim(ask);
          const ids = items.map(({ id }) => id);
          if (ids.length > 0) await queue.release(ask.claimant, ids);
          return { remaining, texts: items.map(({ text }) => text) };
        },
      });
    });
  }
  return withBackend(remote, async (backend) => {
    const spoken = await backend.call(endpoints.capabilities, { withinMs: timeoutMs });
    assertSpoken(spoken);
    const { active } = spoken.embedding;
    if (!active) {
      throw new ChestError("INVALID_INPUT", "this backend names no model whose vectors it takes", {
        hint: "update the backend; `chest-index status` shows its release",
      });
    }
    return work({
      active,
      // The loop that drains the backlog does the retries.
      queue: remotePending(backend, knownCapabilities(backend), { tries: 1, withinMs: timeoutMs }),
      async sample() {
        const { items, remaining } = await backend.call(endpoints.pending, {
          query: { limit: String(SAMPLE) },
          withinMs: timeoutMs,
        });
        return { remaining, texts: items.map(({ text_for_embedding }) => text_for_embedding) };
      },
    });
  });
}
