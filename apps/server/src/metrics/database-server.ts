import type { DatabaseServer, ServerFacts } from "@chest/core/ports";
import { Counter, Gauge, type Registry } from "prom-client";
import { addRowCounts, gaugesIn } from "./row-counts.ts";

/** Adds gauges of this backend's connections and of the database server's state, read at each scrape. */
export function addServerMetrics(registry: Registry, { load, facts, counted }: DatabaseServer): void {
  const registers = [registry];
  const gauge = gaugesIn(registry);
  new Gauge({
    name: "chest_pool_connections",
    help: "Connections of this backend to the database, by state",
    registers,
    labelNames: ["state"] as const,
    collect() {
      const { open, idle } = load().connections;
      this.set({ state: "busy" }, open - idle);
      this.set({ state: "idle" }, idle);
    },
  });
  gauge("chest_pool_limit", "Most connections of this backend", () => load().connections.most);
  gauge("chest_pool_waiting", "Statements that wait for a connection", () => load().connections.waiting);
  gauge("chest_writer_waiting", "Writes that wait for their turn", () => load().writer.waiting);
  new Counter({
    name: "chest_commits_total",
    help: "Transactions that were committed",
    registers,
    collect() {
      this.reset();
      this.inc(load().writer.commits);
    },
  });
  // All gauges of one scrape share one query.
  let cached: { readonly until: number; readonly answer: Promise<ServerFacts> } | undefined;
  const current = () => {
    if (!cached || performance.now() > cached.until) cached = { until: performance.now() + 1000, answer: facts() };
    return cached.answer;
  };
  const fact = (name: string, help: string, read: (current: ServerFacts) => number) =>
    gauge(name, help, async () => read(await current()));
  fact("chest_database_bytes", "Size of the database", ({ sizeBytes }) => sizeBytes);
  fact("chest_database_connections", "Connections of the server, of all its clients", (server) => server.connections);
  fact("chest_database_connections_limit", "Most connections of the server", (server) => server.maxConnections);
  fact("chest_database_transaction_seconds", "Age of its oldest transaction", (server) => server.oldestTransactionS);
  fact("chest_replication_standbys", "Standbys that are connected", ({ standbys }) => standbys);
  fact("chest_replication_synchronous", "Standbys that a commit waits for", (server) => server.synchronousStandbys);
  fact("chest_replication_lag_bytes", "Log that the slowest has still to replay", (server) => server.mostLagBytes ?? 0);
  addRowCounts(registry, counted);
}
