import { createHash } from "node:crypto";

/** Language of questions that are asked in another language than their answer's. */
export const CROSS = "cross";

/** One thing that is remembered, as `chest_remember` takes it. */
export interface Document {
  /** Unique in all sets. */
  readonly key: string;
  readonly about: string;
  readonly content: string;
  readonly layer?: string;
  readonly tags?: readonly string[];
  readonly importance?: number;
  /** How long ago it was stored, in days. */
  readonly age?: number;
  /** Session of a memory; memories of one session are stored in the order given. */
  readonly session?: string;
}

/** Something that is asked, with what answers it. */
export interface Question {
  /** Unique in its set. */
  readonly key: string;
  /** `CROSS` when the question is in one language and the answer in another. */
  readonly lang: string;
  /** Kind of question, to report by. */
  readonly kind: string;
  readonly text: string;
  /** Keys of documents, each of which is an answer by itself; empty: no document answers it. */
  readonly answers: readonly string[];
  /** Whether the answers are pieces of evidence, all of which are wanted: what counts is the share of them that is found. */
  readonly wantsAll?: boolean;
  /** Keys of documents that look like the answer and are wrong. */
  readonly traps?: readonly string[];
}

/** Documents that are stored together, and what is asked of them. */
export interface EvalSet {
  readonly name: string;
  readonly documents: readonly Document[];
  readonly questions: readonly Question[];
  /** Whether nothing is tuned on its questions, so that all of them are reported together. */
  readonly isUntuned?: boolean;
}

/** Weights are chosen on one part; the other is only ever reported. */
export const PARTS = ["tune", "report"] as const;
export type Part = (typeof PARTS)[number];

// Among a few, the salt that halves every language; chosen before any tuning.
const SALT = "two";

/** The same part for the same key, in any set. */
export function partOf({ key }: Pick<Question, "key">): Part {
  return createHash("sha256").update(`${SALT}${key}`).digest().readUInt8() % 2 === 0 ? "tune" : "report";
}
