import { join } from "node:path";
import type { EmbeddingIdentity } from "@chest/core/ports";

/** One file of a model, by its path in the model's folder. */
export interface ModelFile {
  readonly path: string;
  /** Undefined where only the hub can say. */
  readonly bytes?: number;
  readonly sha256?: string;
}

/** Format of the numbers in the weights; each format is a file of its own. */
export type Dtype = keyof typeof WEIGHTS;

const WEIGHTS = {
  fp32: "onnx/model.onnx",
  fp16: "onnx/model_fp16.onnx",
  q8: "onnx/model_quantized.onnx",
  int8: "onnx/model_int8.onnx",
  uint8: "onnx/model_uint8.onnx",
  q4: "onnx/model_q4.onnx",
} as const;

export const DTYPES = Object.keys(WEIGHTS) as readonly Dtype[];

/** Facts needed to fetch and run a model. */
export interface ModelSpec {
  readonly id: string;
  /** A commit of the hub, or a name for one. */
  readonly revision: string;
  readonly dtype: Dtype;
  /** Longer texts are cut to this. */
  readonly maxTokens: number;
  readonly files: readonly ModelFile[];
}

export interface EmbeddingSpec extends ModelSpec {
  readonly dimensions: number;
  /** Pooling of a text's tokens: the first one, or the mean of all. */
  readonly pooling: "cls" | "mean";
  readonly queryPrefix: string;
  readonly passagePrefix: string;
  /** Name of the offsets that are taken from its vectors; see `readCentring`. Undefined: none. */
  readonly centres?: string;
  /** Hash of the settings that determine the vectors, for a model that settings describe; the revision is not in it. */
  readonly variant?: string;
}

/** Files that transformers.js reads; the rest of a model's folder is for other programs. */
export const filesOf = (dtype: Dtype): readonly ModelFile[] =>
  ["config.json", "tokenizer.json", "tokenizer_config.json", WEIGHTS[dtype]].map((path) => ({ path }));

/** Folder of a model's files, below the folder of all models. */
export const folderOf = (modelsDir: string, id: string): string => join(modelsDir, ...id.split("/"));

/** Identity that distinguishes vectors of this model from all others. Vectors always have length 1. */
export const identityOf = ({ id, revision, variant, dimensions, pooling }: EmbeddingSpec): EmbeddingIdentity => ({
  model: id,
  revision: variant === undefined ? revision : `${revision}+${variant}`,
  dimensions,
  pooling,
});
