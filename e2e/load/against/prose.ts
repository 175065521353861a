import { pick, seeded } from "../../support/random.ts";
import { oneOf, readParagraphs, type Section } from "../texts.ts";

/**
 * Generates every paragraph of the installed documentation once, in a seeded order, then endlessly joins halves of two
 * paragraphs.
 */
export function prose(): () => Section {
  const random = seeded(3);
  const all = readParagraphs();
  const rest = pick(all, all.length, random);
  return () => rest.pop() ?? halves(oneOf(all, random), oneOf(all, random));
}

function halves(first: Section, second: Section): Section {
  const [one, other] = [first, second].map(({ text }) => text.split(/(?<=\s)(?=\S)/)) as [string[], string[]];
  const text = [...one.slice(0, one.length / 2), "\n", ...other.slice(other.length / 2)].join("");
  return { about: first.about, text };
}

const [FEWEST_WORDS, MOST_WORDS] = [2, 8];

/** Takes two to eight consecutive words of a text. */
export function phraseOf(text: string, random: () => number): string {
  const words = text.split(/(?<=\s)(?=\S)/);
  const length = Math.min(lengthOf(random), words.length);
  const first = Math.floor(random() * (words.length - length + 1));
  return words
    .slice(first, first + length)
    .join("")
    .trim();
}

/** Takes two to eight words of a text without order, like an agent's query. */
export function questionFor(text: string, random: () => number): string {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return pick(words, lengthOf(random), random).join(" ");
}

const lengthOf = (random: () => number): number =>
  FEWEST_WORDS + Math.floor(random() * (MOST_WORDS - FEWEST_WORDS + 1));
