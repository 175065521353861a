import type { FileSnapshot, KnownFile } from "./snapshots.ts";

export type Reading = Pick<FileSnapshot, "contentHash" | "mtimeNs" | "sizeBytes" | "chunks">;

/** Files that one session has read, on one machine. */
export interface Readings {
  /** `isKnown` false: the store could not be asked, so no file may be reported as unchanged. */
  last(path: string): Promise<KnownFile & { readonly isKnown: boolean }>;
  /** @returns false if it was not stored; the earlier reading is then no longer valid. */
  keep(path: string, reading: Reading): Promise<boolean>;
  /** Records that the same content was read again. */
  keepSeen(path: string, mtimeNs: string): Promise<void>;
}

/** Readings where no agent reads files. */
export const noReadings: Readings = {
  last: async () => ({ isKnown: false, snapshot: undefined, facts: [] }),
  keep: async () => false,
  keepSeen: async () => {},
};
