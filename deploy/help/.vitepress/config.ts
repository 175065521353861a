import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { anchorOf } from "../links.ts";
import { PLACEHOLDER } from "../movable.ts";
import { pageOf, SECTIONS, titleOf } from "../pages.ts";

const ROOT = join(import.meta.dirname, "../../..");
const entry = (document: string) => ({
  text: titleOf(readFileSync(join(ROOT, document), "utf8")),
  link: `/${pageOf(document)}`,
});

// biome-ignore lint/style/noDefaultExport: the builder reads it so.
export default defineConfig({
  title: "Chest",
  description: "Shared memory for a team's coding agents",
  base: PLACEHOLDER,
  srcDir: "generated",
  outDir: "../../apps/server/help/dist",
  cacheDir: "generated/.cache",
  metaChunk: true,
  head: [["link", { rel: "icon", href: `${PLACEHOLDER}icon.svg` }]],
  markdown: {
    // Angle brackets in a document hold a placeholder for its reader.
    html: false,
    anchor: { slugify: anchorOf },
  },
  themeConfig: {
    sidebar: [
      { text: "Chest", link: "/" },
      ...SECTIONS.map(({ title, files }, index) => ({ text: title, collapsed: index > 1, items: files.map(entry) })),
    ],
    outline: [2, 3],
    search: { provider: "local" },
  },
});
