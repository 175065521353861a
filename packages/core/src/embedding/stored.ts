import type { EmbeddingIdentity } from "../ports/embedder.ts";

/** A memory that can be compared by meaning from now on. */
export interface StoredVector {
  readonly memoryId: number;
  readonly identity: EmbeddingIdentity;
}

export type StoredListener = (stored: readonly StoredVector[]) => void;

/** Tells listeners of the vectors of one commit. Listeners return at once and throw nothing. */
export interface StoredNews {
  /** @returns ends the listening. */
  listen(listener: StoredListener): () => void;
  tell(stored: readonly StoredVector[]): void;
}

export function storedNews(): StoredNews {
  const listeners = new Set<StoredListener>();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(stored) {
      if (stored.length === 0) return;
      for (const listener of listeners) listener(stored);
    },
  };
}
