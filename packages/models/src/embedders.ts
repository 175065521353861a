import { type Embedder, type EmbedderFor, type EmbeddingIdentity, isSameIdentity, noEmbedder } from "@chest/core";
import { describedEmbedder } from "./description.ts";
import { openEmbedder } from "./embedder.ts";
import { KNOWN_EMBEDDERS } from "./known.ts";
import { type EmbeddingSpec, identityOf } from "./spec.ts";
import type { ThreadOptions } from "./thread.ts";

export interface Embedders {
  /** By identity: while a store changes its model, questions are still asked of the one before. */
  readonly of: EmbedderFor;
  close(): Promise<void>;
}

/** Every model that this machine can run: the one that is configured, the known ones, those that describe themselves. */
export function openEmbedders(configured: EmbeddingSpec, options: ThreadOptions): Embedders {
  const opened: { readonly identity: EmbeddingIdentity; readonly embedder: Embedder }[] = [];
  const specOf = (identity: EmbeddingIdentity) =>
    [configured, ...KNOWN_EMBEDDERS, describedEmbedder(options.modelsDir, identity.model)].find(
      (spec) => spec && isSameIdentity(identityOf(spec), identity),
    );
  return {
    of(identity) {
      const found = opened.find((other) => isSameIdentity(other.identity, identity));
      if (found) return found.embedder;
      const spec = specOf(identity);
      if (!spec) return noEmbedder;
      const embedder = openEmbedder(spec, options);
      opened.push({ identity, embedder });
      return embedder;
    },
    close: async () => void (await Promise.all(opened.map(({ embedder }) => embedder.close()))),
  };
}
