import type { DatabaseServer, ServerFacts } from "@chest/core/ports";
import type { Connections } from "./connection.ts";
import type { Writer } from "./write.ts";

export interface ServerParts {
  readonly reader: Connections;
  readonly searcher: Connections;
  readonly writer: Writer;
}

/** Facts about the server from its statistics views, which any user may read, except for other users' activity. */
export function databaseServer({ reader, searcher, writer }: ServerParts): Omit<DatabaseServer, "counted"> {
  return {
    load() {
      const [reading, searching] = [reader.use, searcher.use];
      return {
        connections: {
          open: reading.open + searching.open,
          idle: reading.idle + searching.idle,
          waiting: reading.waiting + searching.waiting,
          most: reading.most + searching.most,
        },
        writer: { waiting: writer.waiting, commits: writer.commits },
      };
    },
    async facts(): Promise<ServerFacts> {
      const askedAt = Date.now();
      const row = await reader.get<FactsRow>(FACTS);
      if (!row) throw new Error("the server says nothing of itself");
      const answeredAt = Date.now();
      return {
        version: row.version,
        vectorVersion: row.vector ?? "none",
        sizeBytes: row.size,
        connections: row.connections,
        maxConnections: row.most,
        isDurable: row.fsync === "on" && row.full_page_writes === "on",
        synchronousCommit: row.synchronous_commit,
        synchronousStandbys: row.synchronous,
        standbys: row.standbys,
        mostLagBytes: row.lag ?? undefined,
        isArchiving: row.archive_mode !== "off",
        lastArchivedAgoS: row.archived_ago ?? undefined,
        oldestTransactionS: row.oldest ?? 0,
        clockAheadMs: Math.round(row.clock_ms - (askedAt + answeredAt) / 2),
        releases: row.releases.map((name) => name.replace("chest/", "")),
      };
    },
  };
}

interface FactsRow {
  readonly version: string;
  readonly vector: string | null;
  readonly size: number;
  readonly connections: number;
  readonly most: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly synchronous: number;
  readonly standbys: number;
  readonly lag: number | null;
  readonly archive_mode: string;
  readonly archived_ago: number | null;
  readonly oldest: number | null;
  readonly clock_ms: number;
  readonly releases: readonly string[];
}

const FACTS = `SELECT current_setting('server_version') AS version,
  (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
  pg_database_size(current_database()) AS size,
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('max_connections')::int AS most,
  current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit, current_setting('archive_mode') AS archive_mode,
  (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
  (SELECT count(*) FROM pg_stat_replication) AS standbys,
  (SELECT max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)) FROM pg_stat_replication) AS lag,
  (SELECT extract(epoch FROM clock_timestamp() - last_archived_time)::int FROM pg_stat_archiver) AS archived_ago,
  (SELECT max(extract(epoch FROM clock_timestamp() - xact_start))::int FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()) AS oldest,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock_ms,
  ARRAY(SELECT DISTINCT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND application_name ~ '^chest/' ORDER BY 1) AS releases`;
