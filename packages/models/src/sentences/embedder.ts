import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { BUILTIN_IDENTITY, isReadBySentences } from "@chest/core/embedding";
import type { Embedder } from "@chest/core/ports";
import { moved, readOffsets } from "../centring/centring.ts";
import { directionOf } from "../direction.ts";
import { embedderOver } from "../embedder.ts";
import { ModelThread, type ThreadModel, type ThreadOptions, type Unusable } from "../thread.ts";
import { QUESTION_STEP } from "./learned-step.ts";
import { MEAN_QUESTION } from "./mean-question.ts";
import { readQuestionStep, towardsAnswer } from "./question-step.ts";

/** The model file is beside this file, or beside a bundle of it. */
const shippedModel = () => fileURLToPath(new URL("./sentences.model", import.meta.url));

/**
 * Questions have a part in common, which brings them near to the same few texts. Without it a question finds more, in its own
 * language and in others; stored vectors stay as they are.
 */
const [COMMON = new Float32Array(BUILTIN_IDENTITY.dimensions)] = readOffsets(
  MEAN_QUESTION,
  BUILTIN_IDENTITY.dimensions,
);

/** A question says other things than its answer: its vector goes the way that the vectors of similar questions had to go. */
const STEP = readQuestionStep(QUESTION_STEP, BUILTIN_IDENTITY.dimensions);

/**
 * Recall by meaning from the first start: a small network over the pieces of a text, in a thread that begins with the first text
 * and ends when there was none for a while. A text of a script that it does not know is near to itself alone.
 */
export function openSentenceEmbedder(options: ThreadOptions = {}, path: string = shippedModel()): Embedder {
  const embedder = embedderOver(new ModelThread(modelAt(path), options), BUILTIN_IDENTITY, {
    queryPrefix: "",
    passagePrefix: "",
  });
  const { dimensions } = BUILTIN_IDENTITY;
  return {
    ...embedder,
    async embedQuery(text, signal) {
      if (!isReadBySentences(text)) return directionOf(text, dimensions);
      const vector = await embedder.embedQuery(text, signal);
      return vector && towardsAnswer(moved(vector, COMMON), STEP);
    },
    async embedPassages(texts, signal) {
      const read = texts.filter(isReadBySentences);
      const embeddings = await embedder.embedPassages(read, signal);
      if (!embeddings) return undefined;
      const next = embeddings.values();
      const direction = (text: string) => ({ vector: directionOf(text, dimensions), isCut: false });
      return texts.map((text) => (isReadBySentences(text) ? next.next().value : undefined) ?? direction(text));
    },
  };
}

const YOUNG_MB = 3;

function modelAt(path: string): ThreadModel {
  const unusable = (message: string): Unusable => ({
    isUsable: false,
    reason: "failed",
    message,
    hint: "install this version of Chest again",
  });
  return {
    id: BUILTIN_IDENTITY.model,
    start: { sentences: path },
    youngMb: YOUNG_MB,
    async lookForIt() {
      try {
        await access(path);
        return undefined;
      } catch (error) {
        return unusable(`the sentence model cannot be read (${(error as NodeJS.ErrnoException).code})`);
      }
    },
    failed: (reason) => unusable(reason),
  };
}
