import { pick, seeded } from "../../support/random.ts";
import { oneOf, readParagraphs, type Section } from "../texts.ts";

/** Every paragraph of the installed documentation once, in a seeded order; then the halves of two others, without end. */
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

/** Two to eight words of a text, as an agent asks for what was written. */
export function questionFor(text: string, random: () => number): string {
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const length = FEWEST_WORDS + Math.floor(random() * (MOST_WORDS - FEWEST_WORDS + 1));
  return pick(words, length, random).join(" ");
}
