import { createHash } from "node:crypto";
import { type RealText, readRealTexts, wordsOf } from "../../support/clients/real-texts.ts";
import { pick, seeded } from "../../support/random.ts";
import type { EvalSet, Question } from "../eval-set.ts";

const QUESTIONS = 150;
const IDENTIFIERS = 3;
const PHRASE_WORDS = 24;

/**
 * Builds a set of sections from the documentation of installed packages, stored without the heading that asks for them.
 */
export function packagesSet(): EvalSet {
  const texts = readRealTexts(Number.MAX_SAFE_INTEGER).flatMap((text, at) => {
    const content = text.content.split("\n").slice(1).join("\n").trim();
    return isEnglish(content) ? [{ ...text, content, key: `packages/${at}` }] : [];
  });
  const rare = rarity(texts);
  const ask = (kind: string, seed: number, textOf: (text: RealText) => string | undefined): Question[] =>
    pick(texts, texts.length, seeded(seed))
      .flatMap((each) => {
        const text = textOf(each);
        return text ? [{ key: `${each.key}/${kind}`, lang: "en", kind, text, answers: [each.key] }] : [];
      })
      .slice(0, QUESTIONS);
  return {
    name: "packages",
    documents: texts
      .toSorted((a, b) => a.file.localeCompare(b.file) || a.at - b.at)
      .map(({ key, packageName, content, file }) => ({ key, about: packageName, content, session: sessionOf(file) })),
    questions: [
      ...ask("heading", 11, ({ heading, packageName }) =>
        wordsOf(heading).length >= 3 ? `${packageName}: ${heading}` : undefined,
      ),
      ...ask("identifiers", 12, ({ codeWords }) => identifiersOf(codeWords, rare)),
      ...ask("half a passage", 13, ({ content }) => halfAPassage(content)),
    ],
  };
}

/** The sections of a file belong to one session, in their order, as if an agent had read the file at once. */
const sessionOf = (file: string): string => createHash("sha1").update(file).digest("hex");

const isEnglish = (text: string): boolean =>
  text.length > 0 && (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) < 0.02 * text.length;

/** Counts the texts that contain each identifier. */
function rarity(texts: readonly RealText[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const { codeWords } of texts) for (const word of codeWords) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => counts.get(word) ?? 0;
}

/** Chooses three identifiers that occur in few other texts. */
function identifiersOf(codeWords: readonly string[], rare: (word: string) => number): string | undefined {
  const telling = codeWords.filter((word) => word.length > 4 && rare(word) <= 5);
  return telling.length < IDENTIFIERS ? undefined : telling.slice(0, IDENTIFIERS).join(" ");
}

/** Takes every other word from the middle of the text, like a reader who remembers it vaguely. */
function halfAPassage(content: string): string | undefined {
  const words = wordsOf(content);
  const from = Math.floor(words.length / 2) - PHRASE_WORDS / 2;
  if (from < 0) return undefined;
  return words
    .slice(from, from + PHRASE_WORDS)
    .filter((_, at) => at % 2 === 0)
    .join(" ");
}
