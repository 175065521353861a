import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { folderOf, type ModelSpec } from "./spec.ts";

/** Whether the runtime for models, an optional dependency, is installed beside this program. */
export function hasLibrary(): boolean {
  try {
    createRequire(import.meta.url).resolve("@huggingface/transformers");
    return true;
  } catch {
    return false; // Asked for, and not there: that is the answer.
  }
}

/** The paths of files that are not there, or of another size than they must have. Reads none of them. */
export async function missingFiles(modelsDir: string, spec: ModelSpec): Promise<readonly string[]> {
  const sizes = await Promise.all(spec.files.map(({ path }) => sizeOf(join(folderOf(modelsDir, spec.id), path))));
  return spec.files.flatMap(({ path, bytes }, at) => (fits(sizes[at], bytes) ? [] : [path]));
}

/** Whether anything of a model lies here, whole or not. */
export async function hasAnyFile(modelsDir: string, spec: ModelSpec): Promise<boolean> {
  const paths = spec.files.flatMap(({ path }) => [path, `${path}.part`]);
  const sizes = await Promise.all(paths.map((path) => sizeOf(join(folderOf(modelsDir, spec.id), path))));
  return sizes.some((size) => size !== undefined);
}

const fits = (actual: number | undefined, expected: number | undefined) =>
  actual !== undefined && actual > 0 && (expected === undefined || actual === expected);

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined; // Not there, or not for us to see: not usable either way.
  }
}
