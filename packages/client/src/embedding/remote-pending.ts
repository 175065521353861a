import { ChestError, type ErrorEnvelope, endpoints, fromEnvelope, UPDATE_CLIENT } from "@chest/contracts";
import { bytesOf, type Push, type Pushed } from "@chest/core/embedding";
import type { EmbeddingIdentity, PendingQueue } from "@chest/core/ports";
import type { Backend, CallOptions } from "../backend.ts";
import type { KnownCapabilities } from "../capabilities.ts";

/** Most vectors of one request. */
const MAX_BATCH = 128;

export interface RemotePendingOptions extends Pick<CallOptions, "withinMs" | "tries"> {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Queue of a backend's memories that have no vector yet. An older backend has no claims: two clients may then embed the same
 * memories.
 */
export function remotePending(
  backend: Backend,
  capabilities: KnownCapabilities,
  options: RemotePendingOptions = {},
): PendingQueue {
  const can = async (feature: string) => (await capabilities.current())?.features.includes(feature) ?? false;
  /** Asks for the capabilities anew after a refusal or an outage: they may have changed. */
  const asking = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (error instanceof ChestError) capabilities.forget();
      throw error;
    }
  };
  const parts = ({ model, revision, pooling }: EmbeddingIdentity) => ({ model, revision, pooling });

  async function pushMany(identity: EmbeddingIdentity, pushes: readonly Push[]): Promise<Pushed[]> {
    const items = pushes.map(({ id, vector, contentSha1 }) => ({
      id,
      embedding_base64: base64(vector),
      content_sha1: contentSha1 ?? "",
    }));
    const body = { ...parts(identity), items };
    const { results } = await backend.call(endpoints.pushEmbeddings, { ...options, body, isRepeatable: true });
    return results.map(({ id, error }) => (error ? { id, error: refusalOf(error) } : { id }));
  }

  async function pushOne(identity: EmbeddingIdentity, { id, vector, contentSha1 }: Push): Promise<Pushed> {
    const stated = { ...parts(identity), embedding_status: "ok", content_sha1: contentSha1 };
    const body = { ...stated, embedding: [...vector] };
    try {
      await backend.call(endpoints.pushEmbedding, { ...options, parts: { id: String(id) }, body, isRepeatable: true });
      return { id };
    } catch (error) {
      if (error instanceof ChestError && OF_THE_ROW.has(error.code)) return { id, error };
      throw error;
    }
  }

  return {
    claim: ({ identity, cursor, limit, leaseMs, claimant }) =>
      asking(async () => {
        if (!(await can("pending-claim"))) return listPage(cursor, limit);
        const lease_seconds = Math.ceil(leaseMs / 1000);
        const body = { claimant, cursor, limit, lease_seconds, ...parts(identity) };
        const { items, remaining } = await backend.call(endpoints.claimPending, { ...options, body });
        return { items: items.map(textOf), remaining };
      }),
    store: (identity, pushes) =>
      asking(async () => {
        const isBatched = await can("embedding-batch");
        const results: Pushed[] = [];
        for (let at = 0; at < pushes.length; at += MAX_BATCH) {
          const some = pushes.slice(at, at + MAX_BATCH);
          if (isBatched) results.push(...(await pushMany(identity, some)));
          else for (const push of some) results.push(await pushOne(identity, push));
        }
        if (results.some(({ error }) => error)) capabilities.forget();
        return results;
      }),
    async release(claimant, ids) {
      if (!(await can("pending-claim"))) return;
      await backend.call(endpoints.releasePending, { ...options, body: { claimant, ids }, tries: 1 });
    },
  };

  async function listPage(cursor: number, limit: number) {
    const query = { cursor: String(cursor), limit: String(Math.min(limit, 200)) };
    const { items, remaining } = await backend.call(endpoints.pending, { ...options, query });
    return { items: items.map(textOf), remaining };
  }
}

/** Errors that concern one row only; any other error concerns the whole batch. */
const OF_THE_ROW: ReadonlySet<string> = new Set(["CONTENT_CHANGED", "NOT_FOUND", "VALIDATION_ERROR"]);

interface Handed {
  readonly id: number;
  readonly text_for_embedding: string;
  readonly content_sha1: string;
}

const textOf = ({ id, text_for_embedding: text, content_sha1: contentSha1 }: Handed) => ({ id, text, contentSha1 });

const refusalOf = (error: ErrorEnvelope["error"]): ChestError =>
  fromEnvelope({ ok: false, error }) ??
  new ChestError("BACKEND_PROTOCOL_ERROR", "the backend refuses a vector for a reason of a newer release", {
    hint: UPDATE_CLIENT,
  });

/** Float32, little-endian. */
export const base64 = (vector: Float32Array): string => bytesOf(vector).toString("base64");
