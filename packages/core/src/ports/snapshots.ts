import type { FileFact } from "../files/file-facts.ts";

/** A session's reading of a file: hashes and line numbers, never text. */
export interface FileSnapshot {
  readonly path: string;
  readonly contentHash: string;
  readonly mtimeNs: string;
  readonly sizeBytes: number;
  /** Chunks as JSON, unparsed. */
  readonly chunks: string;
  readonly lastReadAt: Date;
  readonly readCount: number;
}

/** Key of a reading: member, machine, session and file. */
export interface SnapshotKey {
  readonly machine: string;
  readonly session: string;
  readonly path: string;
}

export interface SnapshotReads {
  /** Undefined if the session has not read the file in the last 30 days. */
  find(key: SnapshotKey): Promise<FileSnapshot | undefined>;
}

export interface SnapshotWrites {
  /** Stores a reading. */
  put(
    key: SnapshotKey,
    snapshot: Pick<FileSnapshot, "contentHash" | "mtimeNs" | "sizeBytes" | "chunks">,
  ): Promise<void>;
  /** Records that the file was read again; no effect without an earlier reading. */
  touch(key: SnapshotKey, mtimeNs: string | undefined): Promise<void>;
}

/** Reading of a file, with the memories about it. */
export interface KnownFile {
  readonly snapshot: FileSnapshot | undefined;
  /** Memories about the file. */
  readonly facts: readonly FileFact[];
}

/** Reads and writes of readings. An error says why they are unavailable. */
export interface Snapshots extends SnapshotWrites {
  find(key: SnapshotKey): Promise<KnownFile>;
}
