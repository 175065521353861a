import { z } from "zod";
import type { EvalSet } from "../eval-set.ts";
import { readJson } from "./read-json.ts";

const CODES = z.record(z.string(), z.int());
const QUESTIONS = z.array(z.object({ idx: z.string(), doc: z.string(), retrieval_idx: z.int() }));
/** Longest memory that is stored; a longer function is cut. */
const MOST_CHARACTERS = 8000;

/** Search-engine queries about Python functions, each with one function as its answer. */
export function cosqaSets(codes: string, asked: string): EvalSet[] {
  const keyOf = (index: number) => `cosqa/${index}`;
  const documents = Object.entries(readJson(codes, CODES)).map(([code, index]) => ({
    key: keyOf(index),
    about: "python",
    content: code.slice(0, MOST_CHARACTERS),
  }));
  const questions = readJson(asked, QUESTIONS).map(({ idx, doc, retrieval_idx }) => ({
    key: idx,
    lang: "en",
    kind: "cosqa",
    text: doc,
    answers: [keyOf(retrieval_idx)],
  }));
  return [{ name: "cosqa", documents, questions }];
}
