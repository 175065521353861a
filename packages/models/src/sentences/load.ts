import type { LoadedModel } from "../model.ts";
import { openModelFile, WIDTH } from "./model-file.ts";
import { BRIEF_PIECES, Network } from "./network.ts";
import { cutTo, tokenizerOf } from "./tokenizer.ts";

/** Pieces of a text that are read: some 1,300 Chinese characters or 750 English words, fifty milliseconds of a core. */
const MOST_PIECES = 1024;
/** Upper bound for the average length of pieces in a text; text beyond the model's limit is not tokenised. */
const CHARACTERS_PER_PIECE = 16;
/** Longer texts are not cut into pieces only to learn whether they are brief. */
const BRIEF_CHARACTERS = 1000;

/** Reads the sentence model that comes with Chest. Throws with the reason where its file cannot be used. */
export function loadSentences(path: string): LoadedModel {
  const { rows, ...parts } = openModelFile(path);
  const tokenize = tokenizerOf(parts);
  const network = new Network(parts, rows, MOST_PIECES);
  return {
    width: WIDTH,
    tokenize(text) {
      const head = text.slice(0, MOST_PIECES * CHARACTERS_PER_PIECE);
      const ids = tokenize(head);
      return {
        ids: cutTo(ids, MOST_PIECES),
        types: undefined,
        isCut: head.length < text.length || ids.length > MOST_PIECES,
      };
    },
    isBrief: (text) => text.length <= BRIEF_CHARACTERS && tokenize(text).length <= BRIEF_PIECES,
    async *compute(batch) {
      const vectors: Float32Array[] = [];
      for (const { ids } of batch) {
        if (vectors.length > 0) yield;
        vectors.push(yield* network.vectorOf(ids));
      }
      return vectors;
    },
  };
}
