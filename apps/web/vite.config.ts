import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { chatView } from "./chat-view.ts";

/** Keeps every file compressed beside itself: the backend has nothing left to do with a request. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build",
  writeBundle({ dir = "" }) {
    const folder = join(dir, "assets");
    for (const name of readdirSync(folder).filter((file) => /\.(js|css)$/.test(file))) {
      const whole = readFileSync(join(folder, name));
      const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(whole, { params }));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(whole, { level: 9 }));
    }
  },
};

// A build that tests start inherits their `test`, by which React comes in its slow and large form.
process.env.NODE_ENV = "production";

export default defineConfig({
  root: import.meta.dirname,
  // Addresses relative to the page: it works behind any prefix.
  base: "./",
  plugins: [react(), compressed, chatView()],
  build: {
    outDir: "dist",
    manifest: true,
    // A small file inlined as `data:` would want a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One file for all that the first page wants, instead of thirty small ones.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "page", tags: ["$initial"] }] } } },
  },
});
