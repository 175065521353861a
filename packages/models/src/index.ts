export { openEmbedder } from "./embedder.ts";
export { type Embedders, openEmbedders } from "./embedders.ts";
export { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from "./known.ts";
export { readEmbedder, readReranker } from "./read-spec.ts";
export { DTYPES, type EmbeddingSpec, identityOf, type ModelSpec } from "./spec.ts";
export type { ModelLog, ThreadOptions } from "./thread.ts";
