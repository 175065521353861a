import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embedder } from "@chest/core/ports";
import { CENTRED_LANGUAGES, languageOf, openSentenceEmbedder, TEXT_KINDS, writeOffsets } from "@chest/models";
import { ROOT } from "../support/process.ts";
import { partOf } from "./eval-set.ts";
import { agentsSet, blindSet, farmsSet, meaningSet, trainsSet } from "./sets/agents.ts";
import { vectorsOfServer } from "./vectors.ts";

/**
 * Share of the distance between a language's mean and the mean of all that is taken from multilingual-e5-small; the mean of all
 * is taken away as a whole. With all of the distance, questions find more in other languages, and paraphrases of one language less.
 */
const SHARE = 0.6;

/**
 * Share of the mean question that is taken from a question of the sentence model. The same from .7 to 1 on the tuned
 * parts.
 */
const OF_QUESTIONS = 0.8;

const MODELS = join(ROOT, "packages/models/src");

/**
 * Learns what to take from a model's vectors, from the stored texts of five sets and the questions of their tuned part:
 * of multilingual-e5-small at a server, else of the sentence model. Writes the file that the embedder reads.
 */
export async function learnCentres(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { served: { type: "string" } } });
  if (values.served) {
    const { served } = await vectorsOfServer(values.served, "Xenova/multilingual-e5-small");
    await write("centring/e5-small.ts", "E5_SMALL", "Offsets of multilingual-e5-small", await centresOf(served));
  } else {
    const embedder = openSentenceEmbedder();
    // Its passages are as the model makes them, and its questions are not.
    const means = await meansOf({ ...embedder, embedQuery: asPassage(embedder) }, "query");
    await embedder.close();
    const offset = meanOf(means).map((x) => x * OF_QUESTIONS);
    await write("sentences/mean-question.ts", "MEAN_QUESTION", "Offset of the sentence model's questions", [offset]);
  }
}

async function centresOf(embedder: Embedder): Promise<Float32Array[]> {
  const offsets = [];
  for (const kind of TEXT_KINDS) {
    const means = await meansOf(embedder, kind);
    const all = meanOf(means);
    offsets.push(...means.map((own) => own.map((x, at) => SHARE * x + (1 - SHARE) * (all[at] as number))));
  }
  return offsets;
}

/** Mean vector of each language. */
async function meansOf(embedder: Embedder, kind: (typeof TEXT_KINDS)[number]): Promise<Float32Array[]> {
  const sets = [agentsSet(), blindSet(), meaningSet(), trainsSet(), farmsSet()];
  const texts =
    kind === "query"
      ? sets.flatMap(({ questions }) => questions.filter((one) => partOf(one) === "tune").map(({ text }) => text))
      : sets.flatMap(({ documents }) => documents.map(({ content }) => content));
  const vectors = await vectorsOf(embedder, kind, texts);
  return CENTRED_LANGUAGES.map((language) =>
    meanOf(vectors.filter((_, at) => languageOf(texts[at] ?? "") === language)),
  );
}

const asPassage =
  (embedder: Embedder): Embedder["embedQuery"] =>
  async (text, signal) =>
    (await embedder.embedPassages([text], signal))?.[0]?.vector;

async function vectorsOf(embedder: Embedder, kind: string, texts: readonly string[]): Promise<Float32Array[]> {
  const signal = new AbortController().signal;
  if (kind === "passage") return ((await embedder.embedPassages(texts, signal)) ?? []).map(({ vector }) => vector);
  const vectors = [];
  for (const text of texts) {
    const vector = await embedder.embedQuery(text, signal);
    if (!vector) throw new Error("the model gave no vector");
    vectors.push(vector);
  }
  return vectors;
}

async function write(file: string, name: string, what: string, offsets: readonly Float32Array[]): Promise<void> {
  const content = `/**
 * ${what}, in the form of \`writeOffsets\`. Made by \`npm run eval -- centres\` from the evaluation's own
 * texts.
 */
export const ${name} =
  "${writeOffsets(offsets)}";
`;
  writeFileSync(join(MODELS, file), content);
  console.log(`chest: wrote ${file}`);
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new Error("a language has no text to learn from");
  return first.map((_, at) => vectors.reduce((sum, vector) => sum + (vector[at] as number), 0) / vectors.length);
}
