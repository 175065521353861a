import type { Embedder, Embedding, EmbeddingIdentity } from "@chest/core/ports";
import { type Centring, readCentring } from "./centring/centring.ts";
import { type HubOptions, hubModel } from "./hub-model.ts";
import { type EmbeddingSpec, identityOf } from "./spec.ts";
import { ModelThread } from "./thread.ts";

/** Questions repeat: agents ask the same thing in every session. */
const QUERIES_KEPT = 256;

/** A model of this machine as an embedder. Nothing is loaded before the first text. */
export function openEmbedder(spec: EmbeddingSpec, options: HubOptions): Embedder {
  const { dimensions, pooling, queryPrefix, passagePrefix, centres } = spec;
  const thread = new ModelThread(hubModel(spec, { kind: "embed", dimensions, pooling }, options), options);
  const embedder = embedderOver(thread, identityOf(spec), { queryPrefix, passagePrefix });
  return centres === undefined ? embedder : centredEmbedder(embedder, readCentring(centres, dimensions));
}

/** An embedder whose vectors are moved by a centring. */
export const centredEmbedder = (embedder: Embedder, centred: Centring): Embedder => ({
  ...embedder,
  async embedQuery(text, signal) {
    const vector = await embedder.embedQuery(text, signal);
    return vector && centred(vector, text, "query");
  },
  async embedPassages(texts, signal) {
    const embeddings = await embedder.embedPassages(texts, signal);
    return embeddings?.map(({ vector, isCut }, at) => ({ vector: centred(vector, texts[at] ?? "", "passage"), isCut }));
  },
});

/** A thread's model as an embedder. Vectors of the last questions are kept. */
export function embedderOver(
  thread: ModelThread,
  identity: EmbeddingIdentity,
  { queryPrefix, passagePrefix }: Pick<EmbeddingSpec, "queryPrefix" | "passagePrefix">,
): Embedder {
  const { dimensions } = identity;
  const kept = new Map<string, Float32Array>();
  return {
    identity,
    state: () => thread.state(),
    async embedQuery(text, signal) {
      const found = kept.get(text);
      kept.delete(text); // The one used last is the last to go.
      const result = found ?? (await thread.ask({ texts: [queryPrefix + text], isUrgent: true }, signal))?.numbers;
      if (result) keep(kept, text, result);
      return result;
    },
    async embedPassages(texts, signal) {
      if (texts.length === 0) return [];
      const prefixed = texts.map((text) => passagePrefix + text);
      const result = await thread.ask({ texts: prefixed, isUrgent: false }, signal);
      if (!result) return undefined;
      const cut = new Set(result.cut);
      return texts.map(
        (_, at): Embedding => ({
          vector: result.numbers.slice(at * dimensions, (at + 1) * dimensions),
          isCut: cut.has(at),
        }),
      );
    },
    close: () => thread.close(),
  };
}

function keep(kept: Map<string, Float32Array>, text: string, vector: Float32Array): void {
  kept.set(text, vector);
  const [oldest] = kept.keys();
  if (kept.size > QUERIES_KEPT && oldest !== undefined) kept.delete(oldest);
}
