import type { Wrap } from "@chest/core/executor";
import { openUpkeeper, type RunListener, type Upkeep } from "@chest/core/lifecycle";
import type { Clock, Engine } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { afterWrite } from "@chest/core/wraps";
import type { Logger } from "@chest/runtime/logger";
import type { Embedding } from "./embedding.ts";
import type { Wording } from "./wording.ts";

/** Maintenance of this backend's store, beside its requests. */
export interface Maintenance {
  /** Counts the memories that are stored. */
  readonly wrap: Wrap;
  /** Calls the listener after every run. */
  onRun(listener: RunListener): void;
  start(): void;
  close(): Promise<void>;
}

const NONE: Maintenance = { wrap: (next) => next, onRun: () => {}, start: () => {}, close: async () => {} };

/**
 * Opens the maintenance of the store. Without settings it is idle, because the operator switched it off and runs
 * `chest-index up` instead.
 */
export function openMaintenance(
  upkeep: Upkeep | undefined,
  {
    engine,
    embedding,
    wording,
    clock,
  }: { engine: Engine; embedding: Pick<Embedding, "canEmbed">; wording: Pick<Wording, "summarised">; clock: Clock },
  log: Logger,
): Maintenance {
  if (!upkeep) return NONE;
  const { lifecycle } = engine;
  let listener: RunListener | undefined;
  const onRun: RunListener = (...run) => listener?.(...run);
  const { canEmbed } = embedding;
  const onSummaries = wording.summarised;
  const upkeeper = openUpkeeper({ lifecycle, upkeep, clock, log, onRun, canEmbed, onSummaries });
  const deafen = engine.onVectorsStored(() => upkeeper.embedded());
  return {
    wrap: afterWrite(TOOLS, () => upkeeper.stored()),
    onRun(to) {
      listener = to;
    },
    start: () => upkeeper.start(),
    async close() {
      deafen();
      await upkeeper.stop();
    },
  };
}
