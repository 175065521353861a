import { afterWrite, type Clock, type Engine, openUpkeeper, TOOLS, type Upkeep, type Wrap } from "@chest/core";
import type { Logger } from "@chest/runtime/logger";
import type { Embedding } from "./embedding.ts";

/** What keeps this backend's store in order, beside its requests. */
export interface Maintenance {
  /** Counts what is stored. */
  readonly wrap: Wrap;
  start(): void;
  close(): Promise<void>;
}

const NONE: Maintenance = { wrap: (next) => next, start: () => {}, close: async () => {} };

/** Undefined settings: an operator has switched it off, and runs `chest-index up`. */
export function openMaintenance(
  upkeep: Upkeep | undefined,
  { engine, embedding, clock }: { engine: Engine; embedding: Pick<Embedding, "canEmbed">; clock: Clock },
  log: Logger,
): Maintenance {
  if (!upkeep) return NONE;
  const { lifecycle } = engine;
  const upkeeper = openUpkeeper({ lifecycle, upkeep, clock, log, canEmbed: embedding.canEmbed });
  const deafen = engine.onVectorsStored(() => upkeeper.embedded());
  return {
    wrap: afterWrite(TOOLS, () => upkeeper.stored()),
    start: () => upkeeper.start(),
    async close() {
      deafen();
      await upkeeper.stop();
    },
  };
}
