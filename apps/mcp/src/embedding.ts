import { BackgroundEmbedder, type BackgroundOptions } from "@chest/core/embedding";
import type { EmbedderFor } from "@chest/core/ports";
import { openEmbedders } from "@chest/models";
import type { EmbeddingChoice } from "./config.ts";
import type { Log } from "./log.ts";

/** The models of this machine, and what they do by themselves. */
export interface OwnEmbedding {
  readonly embedders: EmbedderFor;
  readonly background: BackgroundEmbedder;
  /** Lets what was just written be embedded, within the time, and stops. */
  finish(limitMs: number): Promise<void>;
  close(): Promise<void>;
}

/** @param wanted with whose vectors are to be made here now; none where another process makes them. */
export function openOwnEmbedding(
  { mode, choice, modelsDir }: EmbeddingChoice,
  wanted: Pick<BackgroundOptions, "queue" | "wanted" | "onSwept">,
  log: Log,
): OwnEmbedding {
  const models = openEmbedders(choice, { modelsDir, log });
  const background = new BackgroundEmbedder({
    ...wanted,
    log,
    embedders: models.of,
    isOptional: mode === "auto" && choice.model === undefined,
    isAfterWrite: true,
    isSweeping: true,
    rest: () => REST,
  });
  return {
    embedders: models.of,
    background,
    async finish(limitMs) {
      await background.settle(limitMs);
      await background.close();
    },
    async close() {
      await background.close();
      await models.close();
    },
  };
}

// A person works at this machine: half of one core stays theirs while old memories are embedded.
const REST = 1;
