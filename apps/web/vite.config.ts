import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  // Addresses relative to the page: it works behind any prefix.
  base: "./",
  plugins: [react()],
  build: {
    outDir: "dist",
    manifest: true,
    // A small file inlined as `data:` would want a wider policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
