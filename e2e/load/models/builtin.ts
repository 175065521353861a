import type { Embedder } from "@chest/core/ports";
import { segment } from "@chest/core/text";
import { openBuiltinEmbedder } from "@chest/models";
import { agentsSet, blindSet } from "../../eval/sets/agents.ts";
import { LANGUAGES } from "../../eval/sets/by-hand.ts";
import type { Bench } from "../bench.ts";
import { atMost, type Figure } from "../figures.ts";
import { residentMbOf } from "../process-use.ts";
import { median, medianRatio } from "../rounds.ts";

const WORDS = 40;
const TEXTS = 500;
const GOAL_US = 100;
const never = new AbortController().signal;

/** Measures embedding with the built-in table in each language, beside segmenting the same text for the word index. */
export const builtin: Bench = async ({ rounds }) => {
  const bareMb = residentMbOf(process.pid);
  const startedAt = performance.now();
  const embedder = openBuiltinEmbedder();
  await embedder.embedQuery("the first", never);
  const load: Figure = {
    name: "the table's load, the first text included",
    value: performance.now() - startedAt,
    unit: "ms",
  };
  const loadedMb = residentMbOf(process.pid);
  const perText: Figure[] = [];
  for (const lang of LANGUAGES) perText.push(await costOf(lang, textsIn(lang), embedder, rounds));
  return [load, { name: "  memory it takes", value: loadedMb - bareMb, unit: "MB" }, ...perText];
};

async function costOf(lang: string, texts: readonly string[], embedder: Embedder, rounds: number): Promise<Figure> {
  const embedding: number[] = [];
  const segmenting: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const embedUs = await usOf(texts, (text) => embedder.embedQuery(text, never));
    const segmentUs = await usOf(texts, (text) => segment(text));
    if (round < 0) continue; // V8 compiles the code in the first round, which is not measured.
    embedding.push(embedUs);
    segmenting.push(segmentUs);
  }
  const value = median(embedding);
  return {
    name: `a text of ${WORDS} words: ${lang}`,
    value,
    floor: median(segmenting),
    ratio: medianRatio(
      rounds,
      (round) => embedding[round] ?? Number.NaN,
      (round) => segmenting[round] ?? Number.NaN,
    ),
    unit: "µs",
    goal: atMost(GOAL_US, value, `${GOAL_US} µs`),
  };
}

/** Processor time per text, in µs. */
async function usOf(texts: readonly string[], run: (text: string) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (const text of texts) await run(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / texts.length;
}

/** Joins the memories of the evaluation and cuts them into texts of a fixed number of words. */
function textsIn(lang: string): string[] {
  const segmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const all = [agentsSet(), blindSet()]
    .flatMap(({ documents }) => documents)
    .filter(({ key }) => key.includes(`${lang}/`))
    .map(({ content }) => content)
    .join("\n");
  const words = [...segmenter.segment(all)].filter(({ isWordLike }) => isWordLike);
  return Array.from({ length: TEXTS }, (_, nth) => {
    const first = (nth * 7) % (words.length - WORDS);
    return all.slice(words[first]?.index, words[first + WORDS]?.index);
  });
}
