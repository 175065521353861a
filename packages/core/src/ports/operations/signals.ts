/** Short messages between the processes that share a store. They are not kept: a process that is away misses them. */
export interface Signals {
  /** @param text of at most 7,000 bytes. Every process receives it, this one too. */
  send(text: string): Promise<void>;
  /** Calls the listener for every message. It returns at once and throws nothing. @returns ends it. */
  hear(listener: (text: string) => void): () => void;
}

/** Message that something was written which the audit log tells of. It may come late, and once for many. */
export const CHANGED = JSON.stringify({ kind: "changed" });
