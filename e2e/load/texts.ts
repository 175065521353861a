import { readRealTexts } from "../support/clients/real-texts.ts";

/** Section of a text, and its subject. */
export interface Section {
  readonly about: string;
  readonly text: string;
}

const MOST_WORDS = 120;

/** Sections of the installed packages' documentation, 40 to 120 words each. */
export function readSections(): Section[] {
  return readRealTexts(Number.MAX_SAFE_INTEGER).map(({ packageName, content }) => ({
    about: packageName,
    text: new RegExp(String.raw`^(?:\s*\S+){1,${MOST_WORDS}}`).exec(content)?.[0] ?? content,
  }));
}

/** Sections over and over, each time with another number: no two are the same words. */
export function endless(sections: readonly Section[]): () => Section {
  let count = 0;
  return () => {
    const { about, text } = at(sections, count % sections.length);
    count += 1;
    return { about, text: `${text} (note ${count})` };
  };
}

export function oneOf<T>(items: readonly T[], random: () => number): T {
  return at(items, Math.floor(random() * items.length));
}

function at<T>(items: readonly T[], place: number): T {
  const item = items[place];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}
