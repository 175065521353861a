import { defineConfig } from "tsdown";

const PROGRAMS = {
  "chest-memory": "apps/mcp/src/main.ts",
  "chest-index": "apps/cli/src/main.ts",
};

/** What npm users install; the server and the tests run from source. */
export default defineConfig({
  entry: { ...PROGRAMS, "search-worker": "packages/store-sqlite/src/search/worker.ts" },
  outDir: "apps/mcp/dist",
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  fixedExtension: false,
  // Stable names: what imports lazily is named the same in every build.
  hash: false,
  banner: ({ fileName }) => (fileName.replace(/\.js$/, "") in PROGRAMS ? "#!/usr/bin/env node" : undefined),
  deps: {
    alwaysBundle: [/.*/],
    // The one with a binary in it; only local mode and the operator load it.
    neverBundle: ["better-sqlite3"],
    // A dependency that a manifest forgot does not resolve and would silently stay outside.
    onlyImport: ["better-sqlite3"],
    onlyBundle: false,
  },
});
