import type { ModelSpec } from "./spec.ts";

/** Data that a thread is started with: a model of the hub, or the file of the one that comes with Chest. */
export type Start = HubStart | { readonly sentences: string };

export interface HubStart {
  readonly modelsDir: string;
  readonly spec: ModelSpec;
  readonly task: Task;
  /** Threads that the runtime computes with. */
  readonly cores: number;
}

export type Task =
  | { readonly kind: "embed"; readonly pooling: "cls" | "mean"; readonly dimensions: number }
  | { readonly kind: "score" };

/** Texts to embed, or with `query` to score against it. An urgent one goes before all that wait. */
export interface Work {
  readonly query?: string;
  readonly texts: readonly string[];
  readonly isUrgent: boolean;
}

/** `isLast`: finish the batch at hand, give the memory back and end. */
export type WorkerRequest =
  | ({ readonly id: number } & (Work | { readonly isCancelled: true }))
  | { readonly isLast: true };

/** Vectors of all texts in one array, and the indexes of texts that were cut. */
export interface Result {
  readonly numbers: Float32Array<ArrayBuffer>;
  readonly cut: readonly number[];
}

/** Message without an id: the model has loaded, or has failed to. */
export type WorkerMessage =
  | { readonly loaded: true }
  | { readonly failed: string; readonly isLibraryMissing: boolean }
  | ({ readonly id: number } & Result)
  | { readonly id: number; readonly error: string };
