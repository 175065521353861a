import { defineConfig } from "tsdown";
import { withoutZod } from "./plugins.ts";
import { bundled } from "./shared.ts";

const SOURCES = {
  "search-worker": "packages/store-sqlite/src/threads/search-worker.ts",
  "lifecycle-worker": "packages/store-sqlite/src/lifecycle/worker.ts",
  "integrity-check-process": "packages/store-sqlite/src/integrity/integrity-check-process.ts",
  "model-worker": "packages/models/src/worker.ts",
};

/** Programs find them beside themselves, by these names. */
export const THREADS = Object.keys(SOURCES);

/** Bundles of what runs in a thread, or a process, of its own. */
export const threads = Object.entries(SOURCES).map(([name, source]) =>
  defineConfig({
    ...bundled,
    entry: { [name]: source },
    outDir: "apps/server/dist",
    // Each is asked by its own program and parses nothing: schemas would be half of it.
    plugins: [...bundled.plugins, withoutZod],
    treeshake: { moduleSideEffects: false, manualPureFunctions: ["z", "defineTool", "defineEndpoint"] },
    outputOptions: { codeSplitting: false },
  }),
);
