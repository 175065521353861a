import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/process.ts";

const textOf = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const README = textOf("README.md");
const TRANSLATIONS = ["README.ja.md", "README.zh.md", "README.ko.md"];

const linksIn = (text: string): string[] => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
const isHere = (link: string): boolean => !/^[a-z]+:/.test(link);

/** Anchors of a page's headings, in GitHub's form. */
const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** Parts that are equal in every language. */
const frameOf = (text: string) => ({
  headings: [...text.matchAll(/^#+ /gm)].map(([mark]) => mark),
  blocks: [...text.matchAll(/^```[\s\S]*?^```$/gm)].map(([block]) => block),
  links: linksIn(text).filter((link) => !link.startsWith("README")),
  rows: [...text.matchAll(/^\|/gm)].length,
  figures: text.match(/\.\d{3}/g),
});

describe("README", () => {
  it("is two screens", () => {
    expect(README.trimEnd().split("\n").length).toBeLessThanOrEqual(90);
  });

  it.each(linksIn(README).filter(isHere))("links to an existing place: %s", (link) => {
    const [page = "", anchor] = link.split("#");
    expect(existsSync(join(ROOT, page))).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(page)).toContain(anchor);
  });

  it.each(TRANSLATIONS)("says the same in %s: headings, commands, links, tables and figures", (name) => {
    expect(frameOf(textOf(name))).toEqual(frameOf(README));
    expect(linksIn(README)).toContain(name);
  });
});
