import type { FileSnapshot, KnownFile } from "./snapshots.ts";

export type Reading = Pick<FileSnapshot, "contentHash" | "mtimeNs" | "sizeBytes" | "chunks">;

/** Readings of files by one session, on one machine. */
export interface Readings {
  /** `isKnown` false: it could not be asked. Then nothing may be called unchanged. */
  last(path: string): Promise<KnownFile & { readonly isKnown: boolean }>;
  /** @returns false when it was not kept; what was given before then counts no more. */
  keep(path: string, reading: Reading): Promise<boolean>;
  /** The same content again. */
  keepSeen(path: string, mtimeNs: string): Promise<void>;
}

/** That of a place where no agent reads. */
export const noReadings: Readings = {
  last: async () => ({ isKnown: false, snapshot: undefined, facts: [] }),
  keep: async () => false,
  keepSeen: async () => {},
};
