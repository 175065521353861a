import { sha1 } from "../memory/canonical.ts";
import type { Clock } from "../ports/clock.ts";
import type { PendingQueue } from "../ports/pending.ts";
import type { Store } from "../ports/store.ts";
import { pushVectors } from "./push.ts";

/** Time after a write in which the text is left to the client that wrote it and may embed it itself. */
export const WRITERS_OWN_MS = 10_000;

/** Queue of memories without a vector, limited to those that the store's caller sees. */
export function pendingQueue(store: Store, clock: Clock): PendingQueue {
  return {
    async claim({ identity, cursor, limit, leaseMs, claimant }) {
      const now = clock.now().getTime();
      const until = new Date(now + leaseMs);
      const writtenBefore = new Date(now - WRITERS_OWN_MS);
      const ids = await store.write((tx) =>
        tx.vectors.claim(identity, { claimant, cursor, limit, until, writtenBefore }),
      );
      const [memories, remaining] = await Promise.all([
        store.memories.byIds(ids),
        store.memories.countPending("everywhere", identity).catch((error: unknown) => {
          if (ids.length === 0) throw error;
          return ids.length; // There are that many at least, and they are claimed: a late count must not lose them.
        }),
      ]);
      return {
        items: memories.map(({ id, content }) => ({ id, text: content, contentSha1: sha1(content) })),
        remaining,
      };
    },
    store: (identity, pushes) => pushVectors(store, identity, pushes),
    release: (claimant, ids) => store.write((tx) => tx.vectors.release(claimant, ids)),
  };
}
