import type { RunListener } from "@chest/core/lifecycle";
import { LLM_FAILURES, type LlmFailure, PASSES } from "@chest/core/ports";
import { RELEASE } from "@chest/runtime";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Counters of requests. Labels contain routes, tools and codes only, nothing that a client chose. */
export interface Metrics {
  readonly registry: Registry;
  noteRequest(method: string, route: string, status: number, seconds: number): void;
  noteSearch(leg: string, outcome: "ok" | "late" | "failed", seconds: number): void;
  readonly noteMaintenance: RunListener;
  noteLlm(outcome: "ok" | LlmFailure, seconds: number, tokens: number): void;
}

// Buckets reach from the duration of a cached answer to the time limit of a request.
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];
const SEARCH_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2];

export function openMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: "chest_http_requests_total",
    help: "Requests, by route and status",
    registers,
    labelNames: ["method", "route", "status"] as const,
  });
  const requestSeconds = new Histogram({
    name: "chest_http_request_seconds",
    help: "From the first byte of a request to the last of its answer",
    registers,
    labelNames: ["method", "route"] as const,
    buckets: REQUEST_SECONDS,
  });
  const searchSeconds = new Histogram({
    name: "chest_search_seconds",
    help: "One leg of a search, waiting for a thread included",
    registers,
    labelNames: ["leg"] as const,
    buckets: SEARCH_SECONDS,
  });
  const searches = new Counter({
    name: "chest_searches_total",
    help: "Legs of searches, by outcome",
    registers,
    labelNames: ["leg", "outcome"] as const,
  });
  const runs = new Counter({
    name: "chest_maintenance_runs_total",
    help: "Runs of maintenance, by outcome",
    registers,
    labelNames: ["outcome"] as const,
  });
  const changed = new Counter({
    name: "chest_maintenance_changed_total",
    help: "Memories that a pass changed",
    registers,
    labelNames: ["pass"] as const,
  });
  const passSeconds = new Counter({
    name: "chest_maintenance_seconds_total",
    help: "Time that passes took, by the clock",
    registers,
    labelNames: ["pass"] as const,
  });
  const written = new Counter({
    name: "chest_llm_requests_total",
    help: "Requests to the language model, by outcome",
    registers,
    labelNames: ["outcome"] as const,
  });
  const writtenSeconds = new Histogram({
    name: "chest_llm_seconds",
    help: "One request to the language model, waiting for its turn included",
    registers,
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20],
  });
  const writtenTokens = new Counter({
    name: "chest_llm_tokens_total",
    help: "Tokens that the language model cost",
    registers,
  });
  const ranAt = new Gauge({
    name: "chest_maintenance_run_timestamp_seconds",
    help: "When a run last was done; 0 is never",
    registers,
  });
  // Series start at zero, because an alert can only see an increase.
  for (const outcome of ["done", "failed"]) runs.inc({ outcome }, 0);
  for (const outcome of ["ok", ...LLM_FAILURES]) written.inc({ outcome }, 0);
  for (const pass of PASSES) {
    changed.inc({ pass }, 0);
    passSeconds.inc({ pass }, 0);
  }
  new Gauge({
    name: "chest_build_info",
    help: "1, with the release",
    registers,
    labelNames: ["version"] as const,
  }).set({ version: RELEASE }, 1);
  addProcess(registry);

  return {
    registry,
    noteRequest(method, route, status, seconds) {
      requests.inc({ method, route, status });
      requestSeconds.observe({ method, route }, seconds);
    },
    noteSearch(leg, outcome, seconds) {
      searches.inc({ leg, outcome });
      searchSeconds.observe({ leg }, seconds);
    },
    noteLlm(outcome, seconds, tokens) {
      written.inc({ outcome });
      writtenSeconds.observe(seconds);
      writtenTokens.inc(tokens);
    },
    noteMaintenance(outcome, passes) {
      runs.inc({ outcome });
      if (outcome === "done") ranAt.setToCurrentTime();
      for (const { name: pass, changed: memories, seconds } of passes) {
        changed.inc({ pass }, memories);
        passSeconds.inc({ pass }, seconds);
      }
    },
  };
}

/**
 * Adds gauges of the process, read at each scrape. The library's own set wakes the event loop a hundred times a second
 * to measure its delay.
 */
function addProcess(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory of the process",
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: "process_cpu_seconds_total",
    help: "User and system time, threads included",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process began",
    registers,
  }).set(Math.round(Date.now() / 1000 - process.uptime()));
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: "chest_event_loop_utilization",
    help: "Share of the time since the last scrape that the loop was at work",
    registers,
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
