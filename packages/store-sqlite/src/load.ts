import { sizeOf } from "./database/file-size.ts";
import type { Writer } from "./database/write-queue.ts";
import type { SearchPool } from "./threads/search-pool.ts";

/** How busy an open store is, and how large. Reading it costs microseconds. */
export interface Load {
  readonly writer: {
    /** Calls whose commit is still to come. */
    readonly waiting: number;
    /** Since it was opened. */
    readonly writes: number;
    readonly commits: number;
  };
  readonly search: { readonly threads: number; readonly busy: number; readonly waiting: number };
  readonly storeBytes: number;
  /** The write-ahead log. */
  readonly logBytes: number;
}

export const loadOf = (path: string, writer: Writer, pool: SearchPool): Load => ({
  writer: { waiting: writer.waiting, writes: writer.writes, commits: writer.commits },
  search: pool.load,
  storeBytes: sizeOf(path),
  logBytes: sizeOf(`${path}-wal`),
});
