import type { EmbeddingIdentity } from "../ports/embedder.ts";

/** A memory whose vector has just been stored. */
export interface StoredVector {
  readonly memoryId: number;
  readonly identity: EmbeddingIdentity;
}

export type StoredListener = (stored: readonly StoredVector[]) => void;

/** Tells listeners which vectors a commit stored. Listeners return at once and never throw. */
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
