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

/**
 * Says so where a Node is too old, before anything of a program is read that such a one does not have: it would end with a
 * line of the bundle. Stands in the file that runs first.
 */
export const refuseOldNode = (program: string, least: string): string =>
  `if(!process.getBuiltinModule){process.stderr.write("${program}: needs Node ${least} or newer, and this is "+process.versions.node+"\\nhint: install the current Node from https://nodejs.org, then run the command again\\n");process.exit(1)}`;
