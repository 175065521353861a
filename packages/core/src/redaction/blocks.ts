import { isCode } from "./code.ts";
import { closesString, lineBefore, openerOf, startsAt } from "./context.ts";
import { isOwnName } from "./harmless.ts";
import { isHarmless } from "./harmless-value.ts";
import { closingOf, endOfLine, openingAt } from "./quoted.ts";
import type { SecretPair } from "./values.ts";

const PRIVATE_TAG = /(?:<|\\u003c)(\/?)\s{0,10}private(?:\s[^<>]{0,100})?\s{0,10}(?:>|\\u003e)/gi;
const PEM_BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const PEM_EDGE = /-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,40}-{4,5}/g;
const PEM_BODY = /(?:(?:\s|\\+[nr])+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n\\]*|[A-Za-z0-9+/=]{16,}))*/y;
const HEADER = /(?<=^|[^\w-]|\\[nrt])(?:(?:proxy-)?authorization|(?:set-)?cookie)[ \t]{0,5}:[ \t]{0,20}/gi;
const ARRAY = /\[\s{0,40}\\*["'`]/y;
const BARE = /[^\s"',;)}\]]{0,500}/y;
const END_OF_ITEM = /[,)}]/;
// Schemes with comma-separated parameters.
const WITH_PARAMETERS = /^(?:digest|hawk|oauth|aws4-)/i;
const END_OF_OBJECT = /[)}]/;
// Matches only at the first of several backslashes, so that the search stays linear.
const ESCAPED_LINE_END = /(?<!\\)\\+[nr]/;
const SCHEME = /^(?:bearer|basic|digest|token|apikey|negotiate|ntlm|hawk|aws4-)/i;
// Ends a header value; it also keeps the search linear, because each remaining line has one header.
const ANOTHER_HEADER = /(?:authorization|cookie)[ \t]*:/i;
const SENTENCE = /^[\p{L}'’,.;:()[\]-]+(?:\s+[\p{L}'’,.;:()[\]-]+){2,}\s*$/u;

/** Replaces `<private>…</private>`, also nested and without its end tag, tags included. */
export function redactPrivate(text: string, replaced: () => string): string {
  let kept = "";
  let copied = 0;
  let depth = 0;
  for (const tag of text.matchAll(PRIVATE_TAG)) {
    if (tag[1] === "") {
      if (depth === 0) kept += text.slice(copied, tag.index) + replaced();
      depth += 1;
      continue;
    }
    if (depth === 0) continue;
    depth -= 1;
    copied = tag.index + tag[0].length;
  }
  return depth > 0 ? kept : kept + text.slice(copied);
}

/** Replaces private key blocks; a block without its end is replaced as far as it looks like one. */
export function redactPem(text: string, replaced: () => string): string {
  let kept = "";
  let copied = 0;
  for (const begin of text.matchAll(PEM_BEGIN)) {
    if (begin.index < copied) continue;
    kept += text.slice(copied, begin.index) + replaced();
    copied = endOfPem(text, begin.index + begin[0].length);
  }
  return kept + text.slice(copied);
}

function endOfPem(text: string, from: number): number {
  PEM_EDGE.lastIndex = from;
  const edge = PEM_EDGE.exec(text);
  if (edge?.[1] === "END") return edge.index + edge[0].length;
  PEM_BODY.lastIndex = from;
  return from + (PEM_BODY.exec(text)?.[0].length ?? 0);
}

/** Replaces the value of an authentication header, to the end of the line or the surrounding quote. */
export function redactHeaders(text: string, replaced: () => string): string {
  let kept = "";
  let copied = 0;
  let counted = 0;
  let isInString = false;
  for (const header of text.matchAll(HEADER)) {
    if (header.index < copied) continue;
    for (; counted < header.index; counted += 1) {
      if (text[counted] === "\n") isInString = false;
      if (text[counted] === '"' && text[counted - 1] !== "\\") isInString = !isInString;
    }
    const from = header.index + header[0].length;
    const pair = { at: header.index, name: header[0].replace(/(?<![ \t:])[ \t:]+$/, ""), sign: ":", mark: undefined };
    if (isNamedInCode(pair, text, from)) continue;
    const [start, end] = spanOf(text, header.index, from, isInString);
    const value = text.slice(start, end);
    if (isHarmless(value) || isSentence(value) || isOwnName(pair, text, value)) continue;
    kept += text.slice(copied, start) + replaced();
    copied = end;
  }
  return kept + text.slice(copied);
}

function spanOf(text: string, header: number, from: number, isInString: boolean): [number, number] {
  const around = quoteBefore(text, header) ?? (isInString ? { backslashes: 0, mark: '"' } : undefined);
  if (around && closingOf(around, text, from) === from) return [from, from];
  const own = openingAt(text, from);
  if (own && text[from - 1] === ":" && closesString(text, from)) return [from, from];
  if (own) return [from + own.length, closingOf(own, text, from + own.length)];
  const end = around ? closingOf(around, text, from) : endOfLine(text, from);
  const line = text.slice(from, end);
  const escaped = line.search(ESCAPED_LINE_END);
  const value = (escaped < 0 ? line : line.slice(0, escaped)).trimEnd();
  return [from, from + (around ? value : withinObject(text, header, value)).length];
}

/** The value of a header is the rest of its line; inside `{ … }` and `(…)` it ends with the item. */
function withinObject(text: string, header: number, value: string): string {
  if (!openerOf(lineBefore(text, header))) return value;
  const end = value.search(WITH_PARAMETERS.test(value) ? END_OF_OBJECT : END_OF_ITEM);
  return end < 0 ? value : value.slice(0, end).trimEnd();
}

function isNamedInCode(pair: SecretPair, text: string, from: number): boolean {
  BARE.lastIndex = from;
  return startsAt(ARRAY, text, from) || isCode(pair, text, from, BARE.exec(text)?.[0] ?? "");
}

function quoteBefore(text: string, at: number) {
  const mark = text[at - 1];
  if (mark !== '"' && mark !== "'" && mark !== "`") return undefined;
  let first = at - 1;
  while (text[first - 1] === "\\") first -= 1;
  return { backslashes: at - 1 - first, mark };
}

function isSentence(value: string): boolean {
  return !SCHEME.test(value) && !ANOTHER_HEADER.test(value) && SENTENCE.test(value);
}
