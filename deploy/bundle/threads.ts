import { defineConfig, type UserConfig } from "tsdown";
import { noSchemaLeft, withoutZod } from "./plugins.ts";
import { bundled } from "./shared.ts";

const SOURCES = {
  "search-worker": "packages/store-sqlite/src/threads/search-worker.ts",
  "lifecycle-worker": "packages/store-sqlite/src/lifecycle/worker.ts",
  "near-pairs-worker": "packages/store-postgres/src/memories/near-pairs-worker.ts",
  "integrity-check-process": "packages/store-sqlite/src/integrity/integrity-check-process.ts",
  "model-worker": "packages/models/src/worker.ts",
};

/** Programs find them beside themselves, by these names. */
export const THREADS = Object.keys(SOURCES);

/** Bundles of what runs in a thread, or a process, of its own. */
const bundleOf = ([name, source]: readonly [name: string, source: string]) =>
  ({
    ...bundled,
    entry: { [name]: source },
    outDir: "apps/server/dist",
    // Each is asked by its own program and parses nothing: schemas would be half of it.
    plugins: [...bundled.plugins, withoutZod, noSchemaLeft],
    treeshake: { moduleSideEffects: false, manualPureFunctions: ["z", "defineTool", "defineEndpoint"] },
    outputOptions: { codeSplitting: false },
  }) satisfies UserConfig;

export const threads = Object.entries(SOURCES).map((entry) => defineConfig(bundleOf(entry)));

const STORE = /^(?:search|lifecycle)-worker$/;

/**
 * Threads of a store on its own, for tests: the folder is in no package, whose manifest would say what its files are.
 */
export const threadsOfTests = Object.entries(SOURCES)
  .filter(([name]) => STORE.test(name))
  .map((entry) =>
    defineConfig({ ...bundleOf(entry), outDir: "node_modules/.chest/threads", minify: false, fixedExtension: true }),
  );
