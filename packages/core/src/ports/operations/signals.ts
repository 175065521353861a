/** Short messages between the processes that share a store. They are not stored: a disconnected process misses them. */
export interface Signals {
  /** @param text of at most 7,000 bytes. Every process receives it, including the sender. */
  send(text: string): Promise<void>;
  /**
   * Calls the listener for every message; the listener returns at once and never throws.
   * @returns a function that removes it
   */
  hear(listener: (text: string) => void): () => void;
}

/** Message that something in the audit log changed. It may arrive late, and once for several changes. */
export const CHANGED = JSON.stringify({ kind: "changed" });
