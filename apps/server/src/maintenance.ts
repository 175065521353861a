import { type MaintenanceSettings, openMaintenanceScheduler, type RunListener } from "@chest/core/lifecycle";
import type { AnsweredCall } from "@chest/core/pipeline";
import type { Clock, Engine } from "@chest/core/ports";
import type { Logger } from "@chest/runtime/logger";
import type { Embedding } from "./embedding.ts";
import type { Wording } from "./wording.ts";

/** Maintenance of this backend's store, beside its requests. */
export interface Maintenance {
  /** Counts the writes of tools. */
  after(done: Pick<AnsweredCall, "isWrite">): void;
  /** Calls the listener after every run. */
  onRun(listener: RunListener): void;
  start(): void;
  close(): Promise<void>;
}

const NONE: Maintenance = { after: () => {}, onRun: () => {}, start: () => {}, close: async () => {} };

/**
 * Opens the maintenance of the store. Without settings it is idle, because the operator switched it off and runs
 * `chest-index up` instead.
 */
export function openMaintenance(
  maintenance: MaintenanceSettings | undefined,
  {
    engine,
    embedding,
    wording,
    clock,
  }: { engine: Engine; embedding: Pick<Embedding, "canEmbed">; wording: Pick<Wording, "summarised">; clock: Clock },
  log: Logger,
): Maintenance {
  if (!maintenance) return NONE;
  const { lifecycle } = engine;
  let listener: RunListener | undefined;
  const onRun: RunListener = (...run) => listener?.(...run);
  const { canEmbed } = embedding;
  const onSummaries = wording.summarised;
  const scheduler = openMaintenanceScheduler({ lifecycle, maintenance, clock, log, onRun, canEmbed, onSummaries });
  const deafen = engine.onVectorsStored(() => scheduler.embedded());
  return {
    after({ isWrite }) {
      if (isWrite) scheduler.stored();
    },
    onRun(to) {
      listener = to;
    },
    start: () => scheduler.start(),
    async close() {
      deafen();
      await scheduler.stop();
    },
  };
}
