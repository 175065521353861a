export { openEmbedder } from "./embedder.ts";
export { type Embedders, openEmbedders } from "./embedders.ts";
export { type FetchEvent, type FetchOptions, type FileResult, fetchModel } from "./fetch/fetch-model.ts";
export type { Answer, Get } from "./fetch/get.ts";
export { KNOWN_EMBEDDERS, KNOWN_RERANKERS } from "./known.ts";
export { readEmbedder, readReranker } from "./read-spec.ts";
export { openReranker } from "./reranker.ts";
export { DTYPES, type EmbeddingSpec, identityOf, type ModelSpec } from "./spec.ts";
export type { ModelLog, ThreadOptions } from "./thread.ts";
