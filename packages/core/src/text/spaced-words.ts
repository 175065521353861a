import { stemmer } from "stemmer";
import { cutToken } from "./cut-token.ts";
import { fold } from "./fold.ts";
import { splitHumps } from "./humps.ts";
import { STOP_WORDS } from "./stop-words.ts";

const WORD = String.raw`[\p{L}\p{M}\p{N}_]+`;
const JOINT = String.raw`(?:::|:\/\/|:\\|->|\+\+|[.\-\/\\:@#+&])`;
// `C++`, `C#` and `50%` are words of their own; without the suffix they would be "c" and "50".
const IDENTIFIER = new RegExp(`${WORD}(?:${JOINT}${WORD})*(?:\\+\\+|[#%])?`, "gu");
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const ENGLISH = /^[a-z]{3,40}$/;

/** How an identifier falls apart, the loosest joint first: each step's parts are tokens too. */
const STEPS: readonly ((token: string) => string[])[] = [
  (token) => token.split(/[^\p{L}\p{M}\p{N}_.-]+/u),
  (token) => token.split("."),
  (token) => token.split("-"),
  (token) => token.split("_"),
  splitHumps,
];

/** Words of a script that puts blanks between them: identifiers whole and in parts, English stems beside. */
export function* wordsOfSpaced(run: string): Iterable<string> {
  for (const [identifier] of run.matchAll(IDENTIFIER)) {
    if (HAS_LETTER_OR_DIGIT.test(identifier)) yield* wholeAndParts(identifier, 0);
  }
}

function* wholeAndParts(token: string, step: number): Iterable<string> {
  yield* surfaceAndStem(token);
  for (let next = step; next < STEPS.length; next += 1) {
    const parts = STEPS[next]?.(token).filter((part) => part !== "") ?? [];
    if (parts.length === 1 && parts[0] === token) continue;
    for (const part of parts) yield* wholeAndParts(part, next + 1);
    return;
  }
}

function* surfaceAndStem(token: string): Iterable<string> {
  const surface = cutToken(fold(token));
  yield surface;
  if (!ENGLISH.test(surface) || STOP_WORDS.has(surface)) return;
  const stem = stemmer(surface);
  if (stem !== surface) yield stem;
}
