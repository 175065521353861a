import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, descriptionFile } from "../description.ts";
import { readEmbedder, readReranker } from "../read-spec.ts";
import { type EmbeddingSpec, folderOf, type ModelSpec } from "../spec.ts";
import { crossEncoderGraph, embedderGraph } from "./fixture/graphs.ts";
import { configFile, tokenizerConfigFile, tokenizerFile } from "./fixture/tokenizer.ts";

/** Raised with every change of what is written, so that no test meets files of an earlier one. */
const EDITION = 2;
const MAX_TOKENS = 512;
const RERANKER_DIMENSIONS = 64;

/** The environment that names a fixture model to a program; `CHEST_MODELS_DIR` says where it is. */
export const FIXTURE_ENV = {
  CHEST_EMBED_MODEL: "fixture/words",
  CHEST_EMBED_DIMENSIONS: "128",
  CHEST_EMBED_POOLING: "mean",
  CHEST_EMBED_QUERY_PREFIX: "query: ",
  CHEST_EMBED_PASSAGE_PREFIX: "passage: ",
} as const;

/** A second one, of other dimensions, and pooled in the other way. */
export const OTHER_FIXTURE_ENV = {
  CHEST_EMBED_MODEL: "fixture/other-words",
  CHEST_EMBED_DIMENSIONS: "64",
  CHEST_EMBED_POOLING: "cls",
} as const;

/** A cross-encoder that goes by meaning alone. */
export const FIXTURE_RERANKER_ENV = { CHEST_RERANK_MODEL: "fixture/cross-encoder" } as const;

export const FIXTURE_EMBEDDER: EmbeddingSpec = described({
  ...FIXTURE_ENV,
  CHEST_EMBED_DIMENSIONS: 128,
});
export const OTHER_FIXTURE_EMBEDDER: EmbeddingSpec = described({
  ...OTHER_FIXTURE_ENV,
  CHEST_EMBED_DIMENSIONS: 64,
});
export const FIXTURE_RERANKER: ModelSpec = described(FIXTURE_RERANKER_ENV.CHEST_RERANK_MODEL);

function described(named: string): ModelSpec;
function described(named: Parameters<typeof readEmbedder>[0]): EmbeddingSpec;
function described(named: string | Parameters<typeof readEmbedder>[0]): ModelSpec {
  const found = typeof named === "string" ? readReranker(named) : readEmbedder(named);
  const spec = typeof found === "object" && "identity" in found ? found.model : found;
  if (typeof spec !== "object") throw new Error(spec ?? "no model is named");
  return spec;
}

/** Writes the three fixture models, in the layout that transformers.js loads: the same bytes each time. */
export async function writeFixtureModels(modelsDir: string): Promise<void> {
  const tokenizer = JSON.stringify(tokenizerFile());
  const write = async (spec: ModelSpec, config: object, weights: Buffer) => {
    const files = {
      "config.json": JSON.stringify(config),
      "tokenizer.json": tokenizer,
      "tokenizer_config.json": JSON.stringify(tokenizerConfigFile(MAX_TOKENS)),
      "onnx/model_quantized.onnx": weights,
    };
    for (const [path, content] of Object.entries(files)) {
      const file = join(folderOf(modelsDir, spec.id), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    const known = Object.entries(files).map(([path, content]) => ({
      path,
      bytes: Buffer.byteLength(content),
      sha256: createHash("sha256").update(content).digest("hex"),
    }));
    await writeFile(descriptionFile(modelsDir, spec.id), JSON.stringify(describe(spec, known)));
  };
  for (const spec of [FIXTURE_EMBEDDER, OTHER_FIXTURE_EMBEDDER]) {
    const { id, dimensions, pooling } = spec;
    await write(spec, configFile(dimensions, MAX_TOKENS), embedderGraph(dimensions, pooling, id));
  }
  const config = configFile(RERANKER_DIMENSIONS, MAX_TOKENS, 1);
  await write(FIXTURE_RERANKER, config, crossEncoderGraph(RERANKER_DIMENSIONS, FIXTURE_RERANKER.id));
}

/** A folder of this machine with the fixture models in it, written once for all tests; change nothing in it. */
export async function fixtureModels(): Promise<string> {
  const folder = join(tmpdir(), `chest-fixture-models-${EDITION}`);
  if (existsSync(folder)) return folder;
  const made = await mkdtemp(`${folder}-`);
  await writeFixtureModels(made);
  // Another test may have been first: then its files are there, and the same.
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
  return folder;
}
