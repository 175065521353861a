import { constants, setPriority } from "node:os";
import { ChestError } from "@chest/contracts";
import { type Embedder, type EmbeddingIdentity, noEmbedder } from "@chest/core/ports";
import { type Embedders, openEmbedders } from "@chest/models";
import type { ModelsConfig } from "../connect/models-config.ts";

/** Models of this machine for background work, with a priority below that of a backend on the same machine. */
export function openModels({ embedder, modelsDir }: ModelsConfig): Embedders {
  setPriority(constants.priority.PRIORITY_LOW);
  return openEmbedders(embedder, { modelsDir });
}

/** Loads the embedder of an identity; the error says what is missing. */
export async function loadEmbedder(models: Embedders, identity: EmbeddingIdentity): Promise<Embedder> {
  const embedder = models.of(identity);
  if (embedder === noEmbedder) {
    throw new ChestError(
      "INVALID_INPUT",
      `this machine has no description of \`${identity.model}\`, which the backend uses`,
      {
        hint: "set `CHEST_EMBED_MODEL` and what describes it as they are set on the backend",
        details: { reason: "IDENTITY_MISMATCH", wanted: identity },
      },
    );
  }
  const state = await embedder.state();
  if (state.isUsable) return embedder;
  const { message, hint, reason } = state;
  throw new ChestError("UNAVAILABLE", message, {
    hint,
    details: { reason: reason === "no_model" ? "MODEL_CACHE_MISSING" : reason },
  });
}
