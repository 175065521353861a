import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../support/process.ts";

/** A section of a package's README. */
export interface Section {
  readonly about: string;
  readonly text: string;
}

const [FEWEST_WORDS, MOST_WORDS] = [40, 120];
const PACKAGES = join(ROOT, "node_modules/.pnpm");

/** Prose that nobody here wrote: what the installed packages say of themselves, cut to 40–120 words. */
export function readSections(): Section[] {
  const byText = new Map<string, Section>();
  for (const { about, file } of readmes()) {
    for (const text of sectionsOf(readFileSync(file, "utf8"))) byText.set(text, { about, text });
  }
  return [...byText.values()];
}

function readmes(): { readonly about: string; readonly file: string }[] {
  return readdirSync(PACKAGES)
    .sort()
    .flatMap((folder) => {
      const about = folder.replace(/(?<=.)@.*$/, "").replace("+", "/");
      const inside = join(PACKAGES, folder, "node_modules", about);
      return namesIn(inside)
        .filter((name) => /^readme\.md$/i.test(name))
        .map((name) => ({ about, file: join(inside, name) }));
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Long names are cut in the folder's own name, and then the package is not found by it.
  }
}

function sectionsOf(markdown: string): string[] {
  return markdown
    .replace(/^(`{3,}|~{3,})[^]*?^\1/gm, "")
    .replace(/<[^>]*>|!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .split(/^#+ /m)
    .map((section) => section.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS))
    .filter((words) => words.length >= FEWEST_WORDS)
    .map((words) => words.join(" "));
}

/** Numbers from 0 to 1, the same ones in every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function oneOf<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}
