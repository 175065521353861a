import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./process.ts";

/** A section of a documentation file that nobody here wrote. */
export interface RealText {
  readonly packageName: string;
  /** In no other text of the set. */
  readonly heading: string;
  /** The heading and what is below it, as much of it as a memory holds. */
  readonly content: string;
  /** The identifiers it has between backticks or in code, each once. */
  readonly codeWords: readonly string[];
}

const PLACE = "node_modules/.pnpm/*/node_modules/{*,@*/*}/";
const MAX_CHARS = 8000;
const MIN_WORDS = 40;
// The same words in every package, or lists of commits: nobody's documentation.
const NO_DOCUMENTATION = /(?:license|licence|changelog|changes|history|security|code_of_conduct|contributing|authors)[^/]*$/i;

/** Sections of the installed packages' documentation, in the same order on every machine with the same lockfile. */
export function readRealTexts(count: number): RealText[] {
  const sections = [...documentation()].flatMap(([packageName, files]) =>
    files.flatMap((file) => sectionsOf(readFileSync(join(ROOT, file), "utf8")).map((found) => ({ packageName, ...found }))),
  );
  const uses = Map.groupBy(sections, ({ heading }) => heading.toLowerCase());
  return sections
    .filter(({ heading, content }) => uses.get(heading.toLowerCase())?.length === 1 && wordsOf(content).length >= MIN_WORDS)
    .map((section) => ({ ...section, codeWords: codeWordsOf(section.content) }))
    .slice(0, count);
}

export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** The Markdown files of each package; of several versions, those of one. */
function documentation(): Map<string, string[]> {
  const byPackage = new Map<string, string[]>();
  const versions = new Map<string, string>();
  for (const file of globSync(`${PLACE}**/*.{md,MD,markdown}`, { cwd: ROOT }).sort()) {
    const [, version = "", inside = ""] = /^node_modules\/\.pnpm\/([^/]+)\/node_modules\/(.+)$/.exec(file) ?? [];
    const [packageName = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(inside) ?? [];
    if (NO_DOCUMENTATION.test(inside) || inside.includes("/node_modules/")) continue;
    if (!versions.has(packageName)) versions.set(packageName, version);
    if (versions.get(packageName) !== version) continue;
    byPackage.set(packageName, [...(byPackage.get(packageName) ?? []), file]);
  }
  return byPackage;
}

function sectionsOf(markdown: string): { heading: string; content: string }[] {
  return markdown.split(/^(?=#{1,4} \S)/m).flatMap((section) => {
    const [, heading] = /^#{1,4} +(.+?)[ #]*\r?\n/.exec(section) ?? [];
    const content = section.replace(/^#+ +/, "").slice(0, MAX_CHARS).trim().toWellFormed();
    return heading === undefined || wordsOf(heading).length === 0 ? [] : [{ heading: heading.trim(), content }];
  });
}

function codeWordsOf(content: string): string[] {
  const code = [...content.matchAll(/```[^\n]*\n([\s\S]*?)(?:```|$)|`([^`\n]+)`/g)].map(([, block, inline]) => block ?? inline ?? "");
  return [...new Set(code.join("\n").match(/[A-Za-z_$][\w$]{2,}/g) ?? [])];
}
