import { availableParallelism } from "node:os";
import { hasAnyFile, hasLibrary, missingFiles } from "./presence.ts";
import type { Task } from "./protocol.ts";
import { folderOf, type ModelSpec } from "./spec.ts";
import type { ThreadModel, ThreadOptions, Unusable } from "./thread.ts";

export interface HubOptions extends ThreadOptions {
  /** Folder of all models. */
  readonly modelsDir: string;
}

/** A model that was fetched from a hub, and runs in a library that is installed beside this program. */
export function hubModel(spec: ModelSpec, task: Task, { modelsDir }: HubOptions): ThreadModel {
  const noModel = (missing: readonly string[], isPartial: boolean): Unusable => ({
    isUsable: false,
    reason: "no_model",
    isPartial,
    message: `the model \`${spec.id}\` is incomplete in \`${folderOf(modelsDir, spec.id)}\`: ${missing.join(", ")}`,
    hint: "`chest-index fetch-model` downloads it",
  });
  return {
    id: spec.id,
    // One core is left for the event loop.
    start: { modelsDir, spec, task, cores: Math.max(1, availableParallelism() - 1) },
    async lookForIt() {
      if (!hasLibrary()) return noLibrary(await hasAnyFile(modelsDir, spec));
      const missing = await missingFiles(modelsDir, spec);
      return missing.length > 0 ? noModel(missing, await hasAnyFile(modelsDir, spec)) : undefined;
    },
    failed: (reason, isLibraryMissing) =>
      isLibraryMissing
        ? noLibrary(true)
        : {
            isUsable: false,
            reason: "failed",
            message: `the model \`${spec.id}\` does not load: ${reason}`,
            hint: "`chest-index fetch-model --verify` checks its files",
          },
  };
}

const noLibrary = (isPartial: boolean): Unusable => ({
  isUsable: false,
  reason: "no_library",
  isPartial,
  message: "the model runtime is not installed here",
  hint: "install `@huggingface/transformers` 4 beside this program, or let another machine embed",
});
