import type { Connection } from "./database/connection.ts";
import type { Writer } from "./database/write-queue.ts";
import { knownSchema, schemaOf } from "./integrity/inspect-file.ts";
import { type Load, loadOf } from "./load.ts";
import type { Census } from "./queries/row-counts.ts";
import { type Place, placeOf } from "./store-file/file-permissions.ts";
import type { SearchPool, SettledListener } from "./threads/search-pool.ts";

/** What an open store can say of itself and of the machine it is on. */
export interface StoreHost {
  /** Starts what searches, so that the first recall does not wait for it. */
  warm(): void;
  load(): Load;
  /** Walks the whole store, in a thread. */
  census(): Promise<Census>;
  place(): Place;
  /** The migration it has, and the newest that this release knows. */
  schema(): { readonly has: string; readonly knows: string };
  /** Told of every search that was answered or given up. */
  onSearch(listener: SettledListener): void;
}

export interface Hosted {
  readonly path: string;
  readonly backupDir: string;
  readonly reader: Connection;
  readonly writer: Writer;
  readonly pool: SearchPool;
}

export const storeHost = ({ path, backupDir, reader, writer, pool }: Hosted): StoreHost => ({
  warm: () => pool.warm(),
  load: () => loadOf(path, writer, pool),
  census: () => pool.ask("census", {}),
  place: () => placeOf(path, backupDir),
  schema: () => ({ has: schemaOf(reader), knows: knownSchema() }),
  onSearch: (listener) => {
    pool.onSettled = listener;
  },
});
