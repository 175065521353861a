import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../process.ts";
import { pick, seeded } from "../random.ts";

/** Section of a third party's documentation file. */
export interface RealText {
  readonly packageName: string;
  /** The section's file, and its position in that file. */
  readonly file: string;
  readonly at: number;
  /** Text as a reader sees it; it occurs in no other text of the set. */
  readonly heading: string;
  /** Heading and text below it, up to the length of a memory. */
  readonly content: string;
  /** Identifiers in code or between backticks, each once. */
  readonly codeWords: readonly string[];
}

const MAX_CHARS = 8000;
const MIN_WORDS = 40;
// Texts that every package contains, or lists of commits, are not documentation.
const NO_DOCUMENTATION = /(?:licen[sc]e|changelog|changes|history|security|conduct|contributing|authors)[^/]*$/i;

/** Sections of the installed packages' documentation; equal packages give equal sections. */
export function readRealTexts(count: number): RealText[] {
  const sections = documentation().flatMap(({ packageName, file }) =>
    sectionsOf(readFileSync(join(ROOT, file), "utf8")).map((section, at) => ({ packageName, file, at, ...section })),
  );
  const sameHeading = Map.groupBy(sections, ({ heading }) => heading.toLowerCase());
  const usable = sections.filter(
    ({ heading, content }) =>
      sameHeading.get(heading.toLowerCase())?.length === 1 && wordsOf(content).length >= MIN_WORDS,
  );
  return pick(usable, count, seeded(1)).map((text) => ({ ...text, codeWords: codeWordsOf(text.content) }));
}

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Lists the Markdown files of every package, in one version each. */
function documentation(): { packageName: string; file: string }[] {
  const version = new Map<string, string>();
  return globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/**/*.{md,MD,markdown}", { cwd: ROOT })
    .sort()
    .flatMap((file) => {
      const [, place = "", inside = ""] = /^node_modules\/\.pnpm\/([^/]+)\/node_modules\/(.+)$/.exec(file) ?? [];
      const [packageName = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(inside) ?? [];
      if (NO_DOCUMENTATION.test(inside) || inside.includes("/node_modules/")) return [];
      if (!version.has(packageName)) version.set(packageName, place);
      return version.get(packageName) === place ? [{ packageName, file }] : [];
    });
}

function sectionsOf(markdown: string): { heading: string; content: string }[] {
  const starts: number[] = [];
  let isCode = false;
  for (const { 0: line, index } of markdown.matchAll(/^.*$/gm)) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && /^#{1,4} +\S/.test(line)) starts.push(index);
  }
  return starts.flatMap((start, at) => {
    const content = markdown
      .slice(start, starts[at + 1])
      .replace(/^#+ +/, "")
      .trim()
      .slice(0, MAX_CHARS)
      .toWellFormed();
    const heading = plain(content.split(/\r?\n/, 1)[0] ?? "");
    return wordsOf(heading).length === 0 ? [] : [{ heading, content }];
  });
}

const plain = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>|[`#]/g, "")
    .trim();

function codeWordsOf(content: string): string[] {
  const code = content.matchAll(/```[^\n]*\n([\s\S]*?)(?:```|$)|`([^`\n]+)`/g);
  const text = [...code].map(([, block, inline]) => block ?? inline ?? "").join("\n");
  return [...new Set(text.match(/[A-Za-z_$][\w$]{2,}/g) ?? [])];
}
