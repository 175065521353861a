import type { FileFact } from "../files/file-facts.ts";

/** Reading of a file by one agent session: hashes and line numbers, never text. */
export interface FileSnapshot {
  readonly path: string;
  readonly contentHash: string;
  readonly mtimeNs: string;
  readonly sizeBytes: number;
  /** JSON text of the chunks, as it came. */
  readonly chunks: string;
  readonly lastReadAt: Date;
  readonly readCount: number;
}

/** Key of a reading: the member who stored it, machine, session and file. */
export interface SnapshotKey {
  readonly machine: string;
  readonly session: string;
  readonly path: string;
}

export interface SnapshotReads {
  /** Undefined when the member's session was given nothing of it, or not for 30 days. */
  find(key: SnapshotKey): Promise<FileSnapshot | undefined>;
}

export interface SnapshotWrites {
  /** Notes what was read, and that it was. */
  put(
    key: SnapshotKey,
    snapshot: Pick<FileSnapshot, "contentHash" | "mtimeNs" | "sizeBytes" | "chunks">,
  ): Promise<void>;
  /** Notes another read; without a row nothing happens. */
  touch(key: SnapshotKey, mtimeNs: string | undefined): Promise<void>;
}

/** A file as far as one caller knows it. */
export interface KnownFile {
  readonly snapshot: FileSnapshot | undefined;
  /** Memories about it. */
  readonly facts: readonly FileFact[];
}

/** Both as one caller has them, wherever they are kept; what they throw is why they could not be had. */
export interface Snapshots extends SnapshotWrites {
  find(key: SnapshotKey): Promise<KnownFile>;
}
