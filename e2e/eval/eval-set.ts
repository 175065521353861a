import { createHash } from "node:crypto";

/** Marks questions in another language than their answer. */
export const CROSS = "cross";

/** One fact to store, in the form `chest_remember` takes. */
export interface Document {
  /** Unique in all sets. */
  readonly key: string;
  readonly about: string;
  readonly content: string;
  readonly layer?: string;
  readonly tags?: readonly string[];
  readonly importance?: number;
  /** Age of the memory in days. */
  readonly age?: number;
  /** Session of the memory; memories of one session are stored in their order here. */
  readonly session?: string;
}

/** A question with the documents that answer it. */
export interface Question {
  /** Unique in its set. */
  readonly key: string;
  /** Language, or `CROSS` when question and answer differ in language. */
  readonly lang: string;
  /** Kind of question, by which results are grouped. */
  readonly kind: string;
  readonly text: string;
  /** Keys of documents, each a complete answer; empty when no document answers the question. */
  readonly answers: readonly string[];
  /** All answers are required: the measure is the share of them that is found. */
  readonly wantsAll?: boolean;
  /** Keys of documents that look right and are wrong. */
  readonly traps?: readonly string[];
}

/** Documents that are stored together, and questions about them. */
export interface EvalSet {
  readonly name: string;
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
  /** True when nothing is tuned on its questions, so that all of them are reported together. */
  readonly isUntuned?: boolean;
}

/** Weights are tuned on the first part only; the second part is only reported. */
export const PARTS = ["tune", "report"] as const;
export type Part = (typeof PARTS)[number];

// This salt, one of a few tried before any tuning, splits every language into halves.
const SALT = "two";

/** Assigns a question to a part by its key, equally in every set. */
export function partOf({ key }: Pick<Question, "key">): Part {
  return createHash("sha256").update(`${SALT}${key}`).digest().readUInt8() % 2 === 0 ? "tune" : "report";
}
