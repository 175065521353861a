import { readRealTexts } from "../support/clients/real-texts.ts";

/** Section of a text, with its subject. */
export interface Section {
  readonly about: string;
  readonly text: string;
}

const [FEWEST_WORDS, MOST_WORDS] = [40, 120];

/** Sections of the installed packages' documentation, 40 to 120 words each. */
export function readSections(): Section[] {
  return readRealTexts(Number.MAX_SAFE_INTEGER).map(({ packageName, content }) => ({
    about: packageName,
    text: firstWords(content),
  }));
}

const FIRST_WORDS = new RegExp(String.raw`^(?:\s*\S+){1,${MOST_WORDS}}`);
const firstWords = (text: string): string => FIRST_WORDS.exec(text)?.[0] ?? text;

/** Paragraphs of that documentation, joined to at least 40 words, none used twice. */
export function readParagraphs(): Section[] {
  const paragraphs = readRealTexts(Number.MAX_SAFE_INTEGER).flatMap(({ packageName, content }) =>
    joined(content.split(/\n\s*\n/)).map((text) => ({ about: packageName, text: firstWords(text) })),
  );
  return [...new Map(paragraphs.map((each) => [each.text, each])).values()];
}

function joined(paragraphs: readonly string[]): string[] {
  const texts = [""];
  for (const paragraph of paragraphs) {
    const text = `${texts.pop()}\n\n${paragraph}`.trim();
    texts.push(text);
    if (text.split(/\s+/).length >= FEWEST_WORDS) texts.push("");
  }
  return texts.slice(0, -1);
}

/** Repeats sections endlessly, each time with another number, so that no two texts are equal. */
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
