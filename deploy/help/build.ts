import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vitepress";
import { IMAGES, withSiteLinks } from "./links.ts";
import { BASE_PROGRAM, movablePage, movableProgram } from "./movable.ts";
import { DOCUMENTS, pageOf } from "./pages.ts";

/** The documents of the repository as a site that a backend serves at `/help`: `npm run docs`. */

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = join(import.meta.dirname, "generated");
const SITE = join(ROOT, "apps/server/help/dist");
const START = "start.js";

rmSync(SOURCES, { recursive: true, force: true });
rmSync(SITE, { recursive: true, force: true });
mkdirSync(join(SOURCES, "public"), { recursive: true });
for (const document of DOCUMENTS) {
  const text = readFileSync(join(ROOT, document), "utf8");
  writeFileSync(join(SOURCES, `${pageOf(document)}.md`), withSiteLinks(document, text));
}
cpSync(join(ROOT, IMAGES.from), join(SOURCES, IMAGES.to), { recursive: true });
cpSync(join(ROOT, "apps/web/public/icon.svg"), join(SOURCES, "public/icon.svg"));

await build(import.meta.dirname);

const programs = new Set([BASE_PROGRAM]);
for (const file of readdirSync(SITE, { recursive: true, encoding: "utf8" })) {
  if (file.endsWith(".html")) rewrite(file, (html) => movablePage(html, START, programs));
  if (file.endsWith(".js")) rewrite(file, (code) => movableProgram(file, code));
}
writeFileSync(join(SITE, START), [...programs].join("\n"));
rmSync(SOURCES, { recursive: true, force: true });

function rewrite(file: string, change: (text: string) => string): void {
  const path = join(SITE, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
