import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isReadBySentences } from "@chest/core/embedding";
import type { Embedder } from "@chest/core/ports";
import {
  CENTRED_LANGUAGES,
  languageOf,
  moved,
  openSentenceEmbedder,
  TEXT_KINDS,
  writeOffsets,
  writeQuestionStep,
} from "@chest/models";
import { ROOT } from "../support/process.ts";
import { partOf } from "./eval-set.ts";
import { type AnsweredVector, learnStep } from "./learn-step.ts";
import {
  agentsSet,
  blindSet,
  changesSet,
  farmsSet,
  meaningSet,
  passagesSet,
  trainsSet,
  twinsSet,
  updatesSet,
} from "./sets/agents.ts";
import { sessionsSet } from "./sets/sessions.ts";
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
    const centres = writeOffsets(await centresOf(served));
    await write(
      "centring/e5-small.ts",
      "E5_SMALL",
      "Offsets of multilingual-e5-small, in the form of `writeOffsets`",
      centres,
    );
  } else {
    const embedder = openSentenceEmbedder();
    // Its passages are as the model makes them, and its questions are not.
    const means = await meansOf({ ...embedder, embedQuery: asPassage(embedder) }, "query");
    const offset = meanOf(means).map((x) => x * OF_QUESTIONS);
    const mean = writeOffsets([offset]);
    await write(
      "sentences/mean-question.ts",
      "MEAN_QUESTION",
      "Offset of the sentence model's questions, in the form of `writeOffsets`",
      mean,
    );
    const step = writeQuestionStep(learnStep(await answeredVectors(embedder, offset)));
    await embedder.close();
    await write(
      "sentences/learned-step.ts",
      "QUESTION_STEP",
      "Step of the sentence model's questions, in the form of `writeQuestionStep`",
      step,
    );
  }
}

/** Questions of the tuned parts, without what they have in common, and their answers. */
async function answeredVectors(embedder: Embedder, offset: Float32Array): Promise<AnsweredVector[]> {
  const sets = [agentsSet(), blindSet(), meaningSet(), trainsSet(), farmsSet()];
  const others = [updatesSet(), changesSet(), sessionsSet(), passagesSet(), twinsSet()];
  const pairs = [...sets, ...others].flatMap(({ documents, questions }) => {
    const contents = new Map(documents.map(({ key, content }) => [key, content]));
    return questions
      .filter((one) => partOf(one) === "tune" && isReadBySentences(one.text))
      .flatMap(({ text, answers: [answer = ""] }) => {
        const content = contents.get(answer);
        return content === undefined ? [] : [{ text, content }];
      });
  });
  const vectors = async (texts: readonly string[]) => vectorsOf(embedder, "passage", texts);
  const questions = await vectors(pairs.map(({ text }) => text));
  const answers = await vectors(pairs.map(({ content }) => content));
  return questions.map((question, at) => ({ question: moved(question, offset), answer: answers[at] as Float32Array }));
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

async function write(file: string, name: string, what: string, value: string): Promise<void> {
  const content = `/** ${what}. Made by \`npm run eval -- centres\` from the evaluation's own texts. */
export const ${name} =
  "${value}";
`;
  writeFileSync(join(MODELS, file), content);
  console.log(`chest: wrote ${file}`);
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new Error("a language has no text to learn from");
  return first.map((_, at) => vectors.reduce((sum, vector) => sum + (vector[at] as number), 0) / vectors.length);
}
