import { beginsWord, SECRET_NAME } from "./names.ts";
import { openingAt } from "./quoted.ts";
import { type SecretPair, secretsOf } from "./values.ts";

const ASSIGNED = String.raw`(?<mark>\\{0,7}["'\x60])?\]?\*{0,2}[ \t]{0,80}(?<sign>:=|=>|={2,3}|[?+]?=|[?!]?[:：](?!:|\/\/)(?:[ \t]{0,5}[A-Za-z_][\w.<>|[\] ]{0,30}=(?=[ \t]{0,5}["'\x60]))?|＝)\*{0,2}`;
const PAIR = new RegExp(`(?<name>${SECRET_NAME})(?:[_-]?\\d{1,3})?(?:${ASSIGNED}|(?<gap>[ \\t]{1,80}))`, "gi");
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const FLAG_BEFORE = /(?:^|[^\w-])--[\w-]{0,60}$/;

const WIDE = /[０-９Ａ-Ｚａ-ｚ＿－]/g;
const WIDER = 0xfee0;

/** Replaces full-width characters by their ASCII forms; the length stays. */
const narrowed = (text: string): string =>
  text.replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDER));

/** Replaces the values of keys that name a secret, in JSON, YAML, shell, env and prose forms. */
export function redactPairs(input: string, replaced: () => string): string {
  const text = narrowed(input);
  let kept = "";
  let copied = 0;
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(text); match; match = PAIR.exec(text)) {
    const { name = "", sign, mark } = match.groups ?? {};
    const isPair = beginsWord(text, match.index) && (sign !== undefined || isFlag(text, match.index));
    const after = match.index + match[0].length;
    if (!isPair || (/\w=$/.test(match[0]) && isParameter(text, match.index) && !openingAt(text, after))) {
      PAIR.lastIndex = match.index + 1;
      continue;
    }
    const pair: SecretPair = { at: match.index, name, sign, mark };
    PAIR.lastIndex = after;
    for (const [start, end] of secretsOf(pair, text, after)) {
      // JSON allows no bare words, so a redacted number becomes a string.
      const quote = mark !== undefined && NUMBER.test(text.slice(start, end)) ? quoteAround(text, start, mark) : "";
      kept += input.slice(copied, start) + quote + replaced() + quote;
      copied = end;
      PAIR.lastIndex = end;
    }
  }
  return kept + input.slice(copied);
}

function quoteAround(text: string, start: number, mark: string): string {
  return text.slice(0, start).endsWith(mark) ? "" : mark;
}

function isFlag(text: string, at: number): boolean {
  return FLAG_BEFORE.test(text.slice(Math.max(0, at - 64), at));
}

// Whether it is a URL parameter: these were checked before, and end at `&`.
function isParameter(text: string, at: number): boolean {
  return /[?&][\w.~%-]*$/.test(text.slice(Math.max(0, at - 80), at));
}
