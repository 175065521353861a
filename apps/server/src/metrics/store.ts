import { statfs } from "node:fs/promises";
import type { Backups, Census, CountedRows, Load } from "@chest/core/ports";
import { Counter, type Registry } from "prom-client";
import { addRowCounts, gaugesIn } from "./row-counts.ts";

/** Facts that a store in a file reports at a scrape. */
export interface Measured {
  load(): Load;
  census(): Promise<Census>;
  readonly backups: Pick<Backups, "list">;
  readonly dataDir: string;
}

// A count walks the whole store. It is reused for a hundred times as long as it took, so it costs about 1 % of a
// thread's time however large the store is.
const CENSUS_SERVES_MS = 60_000;
const CENSUS_SERVES_TIMES = 100;

/** Adds gauges of queues, threads, sizes, rows and backups, read at each scrape. */
export function addStoreMetrics(registry: Registry, { load, census, backups, dataDir }: Measured): void {
  const registers = [registry];
  const gauge = gaugesIn(registry);
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });

  gauge("chest_writer_waiting", "Writes whose commit is still to come", () => load().writer.waiting);
  total("chest_writes_total", "Writes that were committed or refused", () => load().writer.writes);
  total("chest_commits_total", "Transactions that carried them", () => load().writer.commits);
  gauge("chest_search_threads", "Threads that search", () => load().search.threads);
  gauge("chest_search_busy", "Threads that search right now", () => load().search.busy);
  gauge("chest_search_waiting", "Searches that wait for a thread", () => load().search.waiting);
  gauge("chest_store_bytes", "Size of the database", () => load().storeBytes);
  gauge("chest_wal_bytes", "Size of its write-ahead log", () => load().logBytes);
  gauge("chest_disk_free_bytes", "Room left on the disk of the data folder", async () => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  });

  addRowCounts(registry, cachedCensus(census));

  gauge("chest_backups", "Backups in their folder", async () => (await backups.list()).length);
  gauge("chest_backup_made_timestamp_seconds", "When the newest was made; 0 is never", async () => {
    const [newest] = await backups.list();
    return newest ? Math.round(newest.madeAt.getTime() / 1000) : 0;
  });
  gauge("chest_backup_bytes", "Size of the newest", async () => (await backups.list())[0]?.bytes ?? 0);
}

/** Reuses one count for a multiple of the time that it took. */
function cachedCensus(census: () => Promise<Census>): () => Promise<CountedRows> {
  let last: { readonly at: number; readonly until: number; readonly answer: Promise<Census> } | undefined;
  const current = () => {
    const at = performance.now();
    if (last && at < last.until) return last;
    const answer = census();
    const entry = { at, until: at + CENSUS_SERVES_MS, answer };
    last = entry;
    answer.then(
      () => {
        const took = performance.now() - at;
        last = { ...entry, until: at + Math.max(CENSUS_SERVES_MS, CENSUS_SERVES_TIMES * took) };
      },
      () => {
        last = undefined; // The next scrape counts again.
      },
    );
    return entry;
  };
  return async () => {
    const { at, answer } = current();
    const counts = await answer;
    return { ...counts, ageS: (performance.now() - at) / 1000 };
  };
}
