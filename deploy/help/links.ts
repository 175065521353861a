import { posix } from "node:path";
import { DOCUMENTS, pageOf } from "./pages.ts";

/** Folder of the pictures, in the repository and in the site. */
export const IMAGES = { from: "docs/images", to: "images" } as const;

const FENCE = /^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2 *$/gm;
const LINK = /(!?)\[((?:[^[\]]|\[[^[\]]*\])*)\]\(([^()\s]+)\)/g;

/** A document as the site shows it: its links lead to pages, and what is not in the site is named without a link. */
export function withSiteLinks(document: string, text: string): string {
  return outsideFences(text, (prose) =>
    prose.replace(LINK, (whole, mark: string, words: string, target: string) => {
      const [path = "", anchor] = target.split("#");
      if (path === "" || isElsewhere(target)) return whole;
      const file = posix.join(posix.dirname(document), path);
      const image = posix.relative(IMAGES.from, file);
      if (!image.startsWith("..")) return `${mark}[${words}](./${IMAGES.to}/${image})`;
      if (!DOCUMENTS.includes(file)) return words;
      return `${mark}[${words}](./${pageOf(file)}.md${anchor === undefined ? "" : `#${anchor}`})`;
    }),
  );
}

/** Targets of the links in a document, without what lies on another machine. */
export function linksOf(text: string): string[] {
  const targets: string[] = [];
  outsideFences(text, (prose) => {
    for (const [, , , target = ""] of prose.matchAll(LINK)) if (!isElsewhere(target)) targets.push(target);
    return prose;
  });
  return targets;
}

/** The anchor of a heading, as hosts of repositories make it: links hold there and in the site. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

const isElsewhere = (target: string): boolean => /^[a-z]+:/.test(target);

function outsideFences(text: string, change: (prose: string) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: fence, index } of text.matchAll(FENCE)) {
    parts.push(change(text.slice(from, index)), fence);
    from = index + fence.length;
  }
  return [...parts, change(text.slice(from))].join("");
}
