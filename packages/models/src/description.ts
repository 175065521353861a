import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EmbeddingSpec, filesOf, folderOf, type ModelFile, type ModelSpec } from "./spec.ts";

/**
 * Lies beside a model's files and describes them, so that they can be checked and run when no setting describes them
 * any more.
 */
const DESCRIPTION_FILE = "chest.json";

/** Description kept beside a model's files. */
export interface Description {
  readonly revision: string;
  readonly files: readonly Required<ModelFile>[];
  /** Settings of an embedding model that determine its vectors. */
  readonly embedder?: Omit<EmbeddingSpec, "id" | "revision" | "files">;
}

export const describe = (spec: ModelSpec | EmbeddingSpec, files: Description["files"]): Description => {
  const { id: _, revision, files: __, ...rest } = spec;
  return { revision, files, ...("dimensions" in rest ? { embedder: rest } : {}) };
};

export const descriptionFile = (modelsDir: string, id: string): string =>
  join(folderOf(modelsDir, id), DESCRIPTION_FILE);

/** Undefined where none is kept, or none that can be read. */
export function readDescription(modelsDir: string, id: string): Description | undefined {
  try {
    const found = JSON.parse(readFileSync(descriptionFile(modelsDir, id), "utf8")) as Partial<Description>;
    return found.revision && Array.isArray(found.files) ? (found as Description) : undefined;
  } catch {
    return undefined; // Files that were copied there by hand have none, and work as well.
  }
}

/** The embedder that a model's own description makes of it. */
export function describedEmbedder(modelsDir: string, id: string): EmbeddingSpec | undefined {
  const { revision, embedder } = readDescription(modelsDir, id) ?? {};
  return revision && embedder ? { id, revision, ...embedder, files: filesOf(embedder.dtype) } : undefined;
}
