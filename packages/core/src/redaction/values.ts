import { STOP_WORDS } from "../text/stop-words.ts";
import { isCode } from "./code.ts";
import { closesString } from "./context.ts";
import { isChosen, isCondition, isHarmlessFor, isLink, isOwnName } from "./harmless.ts";
import { isHarmless } from "./harmless-value.ts";
import { closingOf, openingAt } from "./quoted.ts";

/** A key that names a secret, with its position. */
export interface SecretPair {
  readonly at: number;
  readonly name: string;
  /** Sign between name and value; undefined for `--name value`. */
  readonly sign: string | undefined;
  /** Quote around the name, with the backslashes before it. */
  readonly mark: string | undefined;
}

/** Range of a secret in the text. */
export type Span = readonly [start: number, end: number];

const ONLY_ASSIGNED = /^(?:cookie|signature)$/i;

// For these names a quoted value may be harmless: see `isHarmlessFor`.
const ONLY_UNDER = /^(?:PWD|cookie|signature)$/i;

const IDENTIFIER_END = /[\w.-]{1,80}$/;
const BLANKS = /[ \t]*/y;
const BLANKS_AND_LINE_ENDS = /\s*(?=\\*["'])/y;
const STRING_PREFIX = /[bfru]{1,2}(?=["'])/iy;
const SCHEME = /(?:bearer|basic|token|digest|apikey)[ \t]{1,5}(?=\S)/iy;
const SCHEME_OF_SECRET = /(?:bearer|basic|token|digest|apikey)[ \t]{1,5}(?=[A-Za-z_-]{0,60}[0-9+=]|[\w-]{16})/iy;
// A bare value. Chinese and Japanese put no space after it: "abc123を使う".
const BARE =
  /\[REDACTED\](?=\\+[nr])|(?:\[REDACTED\])?[^\s"',;)}\]\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。]*/uy;
const TRAILING_MARKUP = /(?:`{1,3}|\*\*)[.:!?]?$|\\{1,7}$/;
const PLAIN_WORD = /^\(?\p{L}{1,24}[.!?:]*$/u;
// Excludes a following key: "password: hunter, host: db".
const ANOTHER_WORD = /[,;.!?:)]*[ \t]+(?=[\p{L}\p{N}]|\[REDACTED\])(?![\p{L}\p{N}_.-]+["'`]?[ \t]?[:=](?!\/\/))/uy;
const MORE = /[ \t]+\S/y;
const CONTRACTION = /['’](?:t|s|re|ll|ve|d|m)[ \t]+[\p{L}\p{N}]/iuy;
const YAML_BLOCK = /[|>][+-]?\d?[ \t]*\r?\n((?:[ \t]*\r?\n)*([ \t]+)\S[^\n]*(?:\n(?:\2[^\n]*|[ \t]*(?=\n)))*)/y;
const OBJECT = /\{(?:\s|$|\\*["'{}[]|\.{3}|[\w$-]+\??\s*:|[A-Za-z_$]+\s*[,}])/y;
const VALUE_END = /[\s"'`,;)}\]]|$/y;
const REFERENCE_ENDS: Readonly<Record<string, RegExp>> = { "$(": /\)/ };
const GRAMMAR = /^(?:flags?|options?|arguments?|parameters?|switch|value)$/i;
const OPERATOR = /^(?:await|new|async|function|typeof)$/;
// `process.env.TOKEN ?? "…"` has a literal default value.
const FALLBACK = /[ \t]*(?:\|\||\?\?|or\b)[ \t]*(?=["'`])/y;
const ARRAY_ITEM = /[[,]\s{0,40}(?=\\*["'])/y;

/** Finds the spans of a key's secret value; none if it is empty, a reference, or prose. */
export function secretsOf(pair: SecretPair, text: string, after: number): Span[] {
  const from = startOfValue(pair, text, after);
  const before = text.slice(Math.max(0, pair.at - 80), pair.at).replace(IDENTIFIER_END, "");
  const opening = openingAt(text, from);
  if (isLink(pair, text, from) || isCondition(pair, text, after)) return [];
  // "`token:` and `password:`" are names, and "${TOKEN:?missing}" has no value.
  if (before.endsWith("${") && text[from] === "?") return [];
  const isClosing =
    pair.mark === undefined && from === after && (before.endsWith(opening?.mark ?? "\n") || closesString(text, from));
  if (opening) return isClosing ? [] : quoted(text, from, pair);
  const isArray = text[from] === "[" && !text.startsWith("[REDACTED]", from);
  const items = isArray ? array(text, from) : [];
  if (items.length > 0) return items;
  if (ONLY_ASSIGNED.test(pair.name) && pair.sign !== "=" && pair.sign !== ":=") return [];
  if (pair.sign?.startsWith("==") || pair.sign === "=>") return [];
  if (lengthAt(OBJECT, text, from) !== undefined) return [];
  return isArray ? bare(pair, text, from + 1) : (yamlBlock(text, from) ?? bare(pair, text, from));
}

function startOfValue(pair: SecretPair, text: string, after: number): number {
  const blanks = pair.mark
    ? (lengthAt(BLANKS_AND_LINE_ENDS, text, after) ?? lengthAt(BLANKS, text, after))
    : lengthAt(BLANKS, text, after);
  const from = after + (blanks ?? 0);
  return from + (lengthAt(STRING_PREFIX, text, from) ?? 0);
}

function quoted(text: string, from: number, pair?: SecretPair): Span[] {
  const opening = openingAt(text, from);
  if (!opening) return [];
  const start = from + opening.length;
  const end = closingOf(opening, text, start);
  const value = text.slice(start, end);
  if (pair && ONLY_UNDER.test(pair.name) && isHarmlessFor(pair, text, value)) return [];
  if (pair && !isChosen(pair) && isOwnName(pair, text, value)) return [];
  return isHarmless(value) ? [] : [[start, end]];
}

function array(text: string, from: number): Span[] {
  const spans: Span[] = [];
  for (let at = from; ; ) {
    const gap = lengthAt(ARRAY_ITEM, text, at);
    const opening = gap === undefined ? undefined : openingAt(text, at + gap);
    if (gap === undefined || !opening) return spans;
    spans.push(...quoted(text, at + gap));
    const start = at + gap + opening.length;
    at = closingOf(opening, text, start) + opening.length;
  }
}

function yamlBlock(text: string, from: number): Span[] | undefined {
  YAML_BLOCK.lastIndex = from;
  const match = YAML_BLOCK.exec(text);
  if (!match?.[1]) return undefined;
  const end = from + match[0].length;
  const start = end - match[1].trimStart().length;
  return isHarmless(text.slice(start, end)) ? [] : [[start, end]];
}

function bare(pair: SecretPair, text: string, from: number): Span[] {
  const scheme = lengthAt(pair.name.toLowerCase() === "authorization" ? SCHEME : SCHEME_OF_SECRET, text, from) ?? 0;
  const reach = lengthAt(BARE, text, from + scheme) ?? 0;
  const value = text.slice(from, from + scheme + reach).replace(TRAILING_MARKUP, "");
  const end = from + value.length;
  const fallback = lengthAt(FALLBACK, text, end);
  const written = fallback === undefined ? [] : quoted(text, end + fallback);
  if (isHarmless(value) || isReference(text, from) || isCode(pair, text, from, value)) return written;
  if (isHarmlessFor(pair, text, value)) return [];
  if ((pair.sign === undefined && value.startsWith("-")) || isProse(pair, text, value, end)) return [];
  return [[from, end], ...written];
}

// Whether it is a placeholder: `${NAME}`, `{{ name }}` or `<your token>`, which contain characters that would end a
// bare value.
function isReference(text: string, from: number): boolean {
  const line = text.slice(from, from + 80).split("\n", 1)[0] ?? "";
  const length = line.search(REFERENCE_ENDS[line.slice(0, 2)] ?? (line.startsWith("<") ? />/ : /\}(?!\})/)) + 1;
  return length > 0 && isHarmless(line.slice(0, length)) && lengthAt(VALUE_END, text, from + length) !== undefined;
}

/** Whether the value is a word of a sentence: "the token: expired, log in again", "--token is needed". */
function isProse(pair: SecretPair, text: string, value: string, end: number): boolean {
  const goesOn = lengthAt(ANOTHER_WORD, text, end) !== undefined || lengthAt(CONTRACTION, text, end) !== undefined;
  const isGrammar = STOP_WORDS.has(value.toLowerCase()) || OPERATOR.test(value);
  if (isGrammar && lengthAt(MORE, text, end) !== undefined) return true;
  if (!goesOn || !PLAIN_WORD.test(value)) return false;
  if (pair.sign === undefined) return GRAMMAR.test(value);
  return /^[?!]?[:：]$/.test(pair.sign);
}

function lengthAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length;
}
