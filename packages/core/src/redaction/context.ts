import type { SecretPair } from "./values.ts";

/** Certainty that the text around a pair is code: a statement proves it, braces nearly do, a comma only hints at it. */
export type Context = "code" | "object" | "hint" | undefined;

// Characters to look back: enough for a long line of parameters, and bounded so that the search stays linear.
const REACH = 1000;
const REACH_OF_KEY = 120;
const DECLARED =
  /(?:\b(?:const|let|var|val|type|readonly|declare)[ \t]{1,10}|\b(?:this|self|exports|prototype)\.)[\w$]{0,80}$/;
const KEY_CHARACTER = /[\w$.-]/;
const CLOSING_MARK = /(?:\\{1,7}|(?<!\\))["'`]$/;
const ASSIGNED_BEFORE = /[;:=]/;
const ENDS_STATEMENT = /(?:\[\])?;[ \t]*(?:$|[\r\n}]|\/[/*])/y;
const ENDS_ITEM = /(?:\[\])?,[ \t]*(?:$|[\r\n]|\/\/)/y;
const UNION = /(?:\[\])?[ \t]*[|&][ \t]*[A-Za-z{(["']/y;
const ARROW = /[^\n()]{0,300}(?:\(\)[^\n()]{0,300})?\)[ \t]*=>/y;
const RESULT = /[^\n()]{0,300}(?:\(\)[^\n()]{0,300})?\):[ \t]/y;
const ESCAPED_QUOTE = /(?<!\\)\\+["'`]/g;
const OPENS_BLOCK = /[{(][ \t]*\r?\n[ \t]*$/;
const CLOSES_BLOCK = /[ \t]*\r?\n[ \t]*[})\]]/y;

/** Judges from the text before the key and after the value whether a pair is code. */
export function contextOf(pair: SecretPair, text: string, end: number, isAssigned: boolean): Context {
  const line = lineBefore(text, pair.at);
  const lineStart = pair.at - line.length;
  const key = line.slice(0, line.length - keyLengthBefore(text, pair.at));
  const before = pair.mark ? key.replace(CLOSING_MARK, "") : key;
  const isTyped = pair.sign === "?:" || pair.sign === "!:";
  // `readonly KEY=value` is shell syntax.
  if (DECLARED.test(line.slice(-REACH_OF_KEY))) return pair.sign === "=" && !isAssigned ? "hint" : "code";
  const opener = openerOf(before);
  if (opener === "(" && startsAt(ARROW, text, end)) return "code";
  if (opener === "{") return "object";
  if (opener === "call" || isTyped) return "hint";
  if (opener === "(" && startsAt(RESULT, text, end)) return "hint";
  const endsStatement = startsAt(ENDS_STATEMENT, text, end) && !ASSIGNED_BEFORE.test(before);
  if (endsStatement && isAssigned) return "code";
  if (endsStatement && pair.sign === ":") return "hint";
  if (startsAt(ENDS_ITEM, text, end) || startsAt(CLOSES_BLOCK, text, end)) return "hint";
  if (!/^\s*\|/.test(line) && startsAt(UNION, text, end) && /^[?!]?:$/.test(pair.sign ?? "")) return "hint";
  const isFirstInBlock = OPENS_BLOCK.test(text.slice(Math.max(0, lineStart - 80), lineStart + before.length));
  return isFirstInBlock ? "hint" : undefined;
}

/** Length of the key's part before the secret name. */
export function keyLengthBefore(text: string, at: number): number {
  let length = 0;
  while (length < REACH_OF_KEY && KEY_CHARACTER.test(text[at - length - 1] ?? " ")) length += 1;
  return length;
}

/** The line before an offset, within the look-back limit. */
export function lineBefore(text: string, at: number): string {
  const reach = text.slice(Math.max(0, at - REACH), at);
  return reach.slice(reach.lastIndexOf("\n") + 1);
}

/** The innermost open bracket at the end of a line, ignoring strings; `call` if a name precedes it. */
export function openerOf(line: string): "call" | "(" | "{" | undefined {
  const first = line.search(/[({]/);
  let depth = 0;
  for (let at = line.length - 1; first >= 0 && at >= first; at -= 1) {
    const character = line[at];
    if (character === ")" || character === "}") depth += 1;
    if (character !== "(" && character !== "{") continue;
    depth -= 1;
    if (depth >= 0) continue;
    if (isInString(line.slice(at + 1))) return undefined;
    const previous = line.slice(Math.max(0, at - 80), at);
    if (character === "{") return /[${]$/.test(previous) ? undefined : "{";
    return /[\w$>]$|\bfunction[ \t]+[\w$]*[ \t]*$/.test(previous) ? "call" : "(";
  }
  return undefined;
}

/** Whether the quote at an offset closes a string, as in `log('token:', token)`. */
export function closesString(text: string, at: number): boolean {
  const mark = text[at] ?? "";
  const line = lineBefore(text, at).replace(ESCAPED_QUOTE, "");
  return /[\s,;)}\]+]/.test(text[at + 1] ?? "\n") && line.split(mark).length % 2 === 0;
}

function isInString(between: string): boolean {
  const plain = between.replace(ESCAPED_QUOTE, "");
  return ['"', "'", "`"].some((mark) => plain.split(mark).length % 2 === 0);
}

/** Whether a sticky pattern matches at an offset. */
export function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
