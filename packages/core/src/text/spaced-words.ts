import { stemmer } from "stemmer";
import { isAscii } from "./characters.ts";
import { cutToken } from "./cut.ts";
import { fold } from "./fold.ts";
import { splitHumps } from "./humps.ts";
import { closedFormOf, leadingNameOf, lemmaOf, partsOfMixed } from "./spelling.ts";
import { STOP_WORDS } from "./stop-words.ts";

const JOINT = String.raw`(?:::|:\/\/|:\\|->|\+\+|[.\-\/\\:@#+&])`;
// `C++`, `C#` and `50%` keep their suffix; without it they would be "c" and "50".
const identifierOf = (word: string, flags: string) => new RegExp(`${word}(?:${JOINT}${word})*(?:\\+\\+|[#%])?`, flags);
// Without Unicode tables it takes half the time, and most text is ASCII.
const ASCII_IDENTIFIER = identifierOf("[A-Za-z0-9_]+", "g");
const ENGLISH = /^[a-z]{3,40}$/;
/** Thousands separator: 10,000 is 10000. */
const THOUSANDS = /(?<=(?<![\d,.])\d{1,3}(?:,\d{3})*),(?=\d{3}(?:,\d{3})*(?![\d,]))/g;

/** Ways to split an identifier, the loosest separator first: the parts of each step are tokens, too. */
const STEPS: readonly ((token: string) => string[])[] = [
  (token) => token.split(isAscii(token) ? /[^A-Za-z0-9_.-]+/ : /[^\p{L}\p{M}\p{N}_.-]+/u),
  (token) => token.split("."),
  (token) => token.split("-"),
  (token) => token.split("_"),
  splitHumps,
];

/** Words of a script with spaces: identifiers whole and in parts, with English stems. */
export function wordsOfSpaced(text: string): string[] {
  const words: string[] = [];
  const run = text.includes(",") ? text.replace(THOUSANDS, "") : text;
  for (const identifier of run.match(isAscii(run) ? ASCII_IDENTIFIER : anyIdentifier()) ?? []) {
    for (const token of tokensOf(identifier)) words.push(token);
  }
  return words;
}

let identifierOfAnyScript: RegExp | undefined;

function anyIdentifier(): RegExp {
  identifierOfAnyScript ??= identifierOf(String.raw`[\p{L}\p{M}\p{N}_]+`, "gu");
  return identifierOfAnyScript;
}

function hasLetterOrDigit(text: string): boolean {
  return isAscii(text) ? /[A-Za-z0-9]/.test(text) : /[\p{L}\p{N}]/u.test(text);
}

// Number of cached words: most words of a text have been split before.
const MAX_KEPT = 20_000;
const MAX_KEPT_CHARS = 40;
const kept = new Map<string, readonly string[]>();

function tokensOf(identifier: string): readonly string[] {
  const known = kept.get(identifier);
  if (known) return known;
  const tokens: string[] = [];
  if (hasLetterOrDigit(identifier)) takeApart(identifier, 0, tokens);
  if (kept.size >= MAX_KEPT) kept.clear();
  if (identifier.length <= MAX_KEPT_CHARS) kept.set(identifier, tokens);
  return tokens;
}

function takeApart(token: string, step: number, tokens: string[]): void {
  const surface = cutToken(fold(token));
  addWithStem(surface, tokens);
  const closed = closedFormOf(surface);
  if (closed !== undefined) addWithStem(closed, tokens);
  for (let next = step; next < STEPS.length; next += 1) {
    const parts = STEPS[next]?.(token).filter((part) => part !== "") ?? [];
    if (parts.length === 1 && parts[0] === token) continue;
    for (const part of parts) takeApart(part, next + 1, tokens);
    const name = STEPS[next] === splitHumps ? leadingNameOf(parts) : undefined;
    if (name !== undefined) tokens.push(fold(name));
    return;
  }
  for (const part of partsOfMixed(surface)) addWithStem(part, tokens);
}

function addWithStem(surface: string, tokens: string[]): void {
  tokens.push(surface);
  const stem = stemOf(surface);
  if (stem !== undefined) tokens.push(stem);
}

/** Indexed stem of a word; undefined if it equals the word. */
export function stemOf(word: string): string | undefined {
  if (!ENGLISH.test(word) || STOP_WORDS.has(word)) return undefined;
  const stem = stemmer(lemmaOf(word));
  return stem === word ? undefined : stem;
}
