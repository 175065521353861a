import type { Load, StoreHost } from "@chest/core/ports";
import type { Connection } from "./database/connection.ts";
import { sizeOf } from "./database/file-size.ts";
import type { Writer } from "./database/write-queue.ts";
import { knownSchema, schemaOf } from "./integrity/inspect-file.ts";
import { placeOf } from "./store-file/file-permissions.ts";
import { refuseOnTimeout, type Searcher } from "./threads/search-pool.ts";

/** Factor of the search time limit: a census scans the whole store. */
const COUNTING = 5;

export interface Hosted {
  readonly path: string;
  readonly backupDir: string;
  readonly reader: Connection;
  readonly writer: Writer;
  readonly pool: Searcher;
}

export const storeHost = ({ path, backupDir, reader, writer, pool }: Hosted): StoreHost => ({
  warm: () => pool.warm(),
  load: () => loadOf(path, writer, pool),
  census: () => refuseOnTimeout(pool.ask("census", {}, COUNTING)),
  place: () => placeOf(path, backupDir),
  schema: () => ({ has: schemaOf(reader), knows: knownSchema() }),
  onSearch: (listener) => {
    pool.onSettled = listener;
  },
});

const loadOf = (path: string, writer: Writer, pool: Searcher): Load => ({
  writer: { waiting: writer.waiting, writes: writer.writes, commits: writer.commits },
  search: pool.load,
  storeBytes: sizeOf(path),
  logBytes: sizeOf(`${path}-wal`),
});
