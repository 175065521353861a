import { existsSync } from "node:fs";
import { join } from "node:path";
import { readProxy, type TransportOptions } from "@chest/client";
import {
  type EmbedderChoice,
  KNOWN_EMBEDDERS,
  KNOWN_RERANKERS,
  type ModelSpec,
  readEmbedder,
  readReranker,
} from "@chest/models";
import {
  ConfigError,
  defaultDataDir,
  EMBEDDING_VARIABLES,
  type Env,
  flag,
  httpUrl,
  path,
  readEnv,
  text,
} from "@chest/runtime";
import { type Config, pemFile } from "./config.ts";

/** Models that this machine runs, their folder, and the hub that they come from. */
export interface ModelsConfig {
  readonly modelsDir: string;
  readonly embedder: EmbedderChoice;
  readonly reranker: ModelSpec;
  readonly isReranking: boolean;
  readonly endpoint: string;
  readonly transport: TransportOptions;
}

const VARIABLES = {
  ...EMBEDDING_VARIABLES,
  CHEST_DATA_DIR: path().default(defaultDataDir()),
  CHEST_RERANK_ENABLED: flag().default(false),
  CHEST_RERANK_MODEL: text().default(KNOWN_RERANKERS[0].id),
  CHEST_CA_FILE: pemFile().optional(),
  HF_ENDPOINT: httpUrl().default("https://huggingface.co"),
};

/** Reads the settings. Throws `ConfigError` with every problem. */
export function readModelsConfig(env: Env): ModelsConfig {
  const { values } = readEnv(VARIABLES, env);
  const embedder = readEmbedder(values);
  const reranker = readReranker(values.CHEST_RERANK_MODEL);
  const problems = [embedder, reranker].filter((found) => typeof found === "string");
  if (typeof embedder === "string" || typeof reranker === "string") throw new ConfigError(problems);
  return {
    embedder,
    reranker,
    isReranking: values.CHEST_RERANK_ENABLED,
    endpoint: values.HF_ENDPOINT,
    modelsDir: values.CHEST_MODELS_DIR ?? join(values.CHEST_DATA_DIR, "models"),
    transport: { ca: values.CHEST_CA_FILE, proxy: readProxy(env) },
  };
}

/** Embedding identity for a new store; undefined for an existing store, which keeps its own. */
export const identityOfNew = ({ dbPath, database }: Pick<Config, "dbPath" | "database">, env: Env) =>
  !database && existsSync(dbPath) ? undefined : readModelsConfig(env).embedder.identity;

/** Models that Chest knows by id, so they need no description. */
export const KNOWN_IDS: readonly string[] = [...KNOWN_EMBEDDERS, ...KNOWN_RERANKERS].map(({ id }) => id);
