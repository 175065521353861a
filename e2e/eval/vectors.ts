import { BUILTIN_IDENTITY } from "@chest/core/embedding";
import type { Embedder, EmbeddingIdentity } from "@chest/core/ports";
import { openSentenceEmbedder } from "@chest/models";
import { openEmbedder, readEmbedder } from "../load/libraries.ts";

/** Source of the vectors for texts and questions. */
export interface Vectors {
  /** Used in file names. */
  readonly name: string;
  readonly identity: EmbeddingIdentity;
  readonly embedder: Embedder;
}

/** The sentence model that comes with the product. */
export const vectorsOfBuiltin = (): Vectors => ({
  name: `builtin-${BUILTIN_IDENTITY.revision}`,
  identity: BUILTIN_IDENTITY,
  embedder: openSentenceEmbedder(),
});

/**
 * Opens the model that `CHEST_MODELS_DIR` and `CHEST_EMBED_*` name, as for the backend.
 * @param as model whose name and scale of cosines the vectors get; by default the model itself
 */
export async function vectorsOfModel(env: NodeJS.ProcessEnv, as?: string): Promise<Vectors> {
  const modelsDir = env.CHEST_MODELS_DIR;
  if (!modelsDir) throw new Error("CHEST_MODELS_DIR says where the model is, and is not set");
  const named = Object.entries(env).filter(([name]) => name.startsWith("CHEST_EMBED_"));
  const choice = readEmbedder(
    Object.fromEntries(named.map(([name, value]) => [name, isCount(value) ? Number(value) : value])),
  );
  if (typeof choice === "string") throw new Error(choice);
  if (!choice.model) throw new Error("CHEST_EMBED_MODEL names the model, and is not set");
  const embedder = openEmbedder(choice.model, { modelsDir });
  const state = await embedder.state();
  if (!state.isUsable || !embedder.identity)
    throw new Error(state.isUsable ? "the model has no identity" : `${state.message}; ${state.hint}`);
  const identity = { ...embedder.identity, model: as ?? embedder.identity.model };
  return { name: embedder.identity.model.replaceAll(/[^\w-]/g, "_"), identity, embedder: { ...embedder, identity } };
}

const isCount = (value: string | undefined): boolean => /^\d+$/.test(value ?? "");
