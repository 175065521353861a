import { hash } from "node:crypto";
import { redact } from "../redaction/redact.ts";
import { wellFormed } from "../text/characters.ts";
import { segment } from "../text/segment.ts";

/** The one text of a memory that is stored, indexed, hashed and embedded, with what derives from it. */
export interface CanonicalText {
  readonly content: string;
  /** SHA-256, hex. */
  readonly contentHash: string;
  /** SHA-1, hex: what a pushed vector must name. */
  readonly contentSha1: string;
  readonly words: string;
  readonly grams: string;
}

/** Redacts, hashes and segments a text. Idempotent; call it before the transaction. */
export const canonical = (text: string): CanonicalText => derived(redact(wellFormed(text)));

/** Hashes and segments a text that is made of stored ones, and so is redacted already. */
export function derived(content: string): CanonicalText {
  const { words, grams } = segment(content);
  return { content, contentHash: hash("sha256", content, "hex"), contentSha1: sha1(content), words, grams };
}

/** SHA-1 that a pushed vector must name. */
export const sha1 = (text: string): string => hash("sha1", text, "hex");
