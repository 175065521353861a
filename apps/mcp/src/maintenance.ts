import { backUpBeforehand, openMaintenanceScheduler, type RunListener } from "@chest/core/lifecycle";
import type { AnsweredCall } from "@chest/core/pipeline";
import { type Engine, type PassReport, systemClock } from "@chest/core/ports";
import { noteMaintenance } from "@chest/runtime/maintenance-note";
import type { LocalPlace } from "./config.ts";
import type { Log } from "./log.ts";

/** Maintenance of the store beside this agent, by the rules of a backend. */
export interface LocalMaintenance {
  /** Counts what is stored. */
  after(done: Pick<AnsweredCall, "isWrite">): void;
  start(): void;
  stop(): Promise<void>;
}

// A session begins with the agent's own reading and asking.
const START_MS = 1_000;

export function openLocalMaintenance(
  engine: Engine,
  { dbPath, maintenance, backups }: LocalPlace,
  { canEmbed, log }: { canEmbed(): Promise<boolean>; log: Log },
): LocalMaintenance {
  if (!maintenance) return { after: () => {}, start: () => {}, stop: async () => {} };
  const { lifecycle, backups: made } = engine;
  const onRun: RunListener = (_, passes, runId) => {
    const archived = archivedBy(passes);
    if (runId === undefined || Object.keys(archived).length === 0) return;
    try {
      noteMaintenance(dbPath, runId, archived);
    } catch (err) {
      log.warn({ err, run: runId }, "the next session is not told of this maintenance");
    }
  };
  const scheduler = openMaintenanceScheduler({
    lifecycle,
    maintenance,
    clock: systemClock,
    log,
    canEmbed,
    onRun,
    startMs: START_MS,
    ...(made && { prepare: (signal) => backUpBeforehand({ backups: made, ...backups }, log, signal) }),
  });
  const deafen = engine.onVectorsStored(() => scheduler.embedded());
  return {
    after({ isWrite }) {
      if (isWrite) scheduler.stored();
    },
    start: () => scheduler.start(),
    async stop() {
      deafen();
      await scheduler.stop();
    },
  };
}

/** Passes that archive memories. */
const ARCHIVING = new Set([
  "digest",
  "expiry",
  "supersession",
  "consolidation",
  "forgetting",
  "prune",
  "conversations",
]);

const archivedBy = (passes: readonly PassReport[]): Record<string, number> =>
  Object.fromEntries(
    passes.flatMap(({ name, changed }) => (changed > 0 && ARCHIVING.has(name) ? [[name, changed]] : [])),
  );
