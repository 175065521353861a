import { resolve } from "node:path";
import type { UserConfig } from "tsdown";
import { builtinsAsTheyAre, pastBarrels, withoutAjv } from "./plugins.ts";

/** Entries, folders and the manifests of packages are named from here. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** Models that embed from the first start: a program that opens a store finds both beside itself. */
export const MODELS = ["builtin/terms.table", "sentences/sentences.model", "sentences/sentences.model.LICENSE"].map(
  (file) => `packages/models/src/${file}`,
);

const OUTSIDE = ["better-sqlite3", "@huggingface/transformers"];

/** Settings that all bundles have in common. */
export const bundled = {
  cwd: ROOT,
  format: "esm",
  platform: "node",
  target: "node20",
  dts: false,
  minify: true,
  // Sizes of what is compressed cost a tenth of the build.
  report: { gzip: false },
  clean: false,
  plugins: [builtinsAsTheyAre, withoutAjv, pastBarrels],
  fixedExtension: false,
  hash: false,
  deps: {
    alwaysBundle: [/.*/],
    // Packages with a binary: one is loaded to open a store, the other to embed.
    neverBundle: OUTSIDE,
    // A dependency that a manifest forgot does not resolve and would silently stay outside.
    onlyImport: OUTSIDE,
    onlyBundle: false,
  },
} satisfies UserConfig;
