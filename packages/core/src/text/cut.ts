/** Cuts a text to this many code points; the last one of a cut text is `…`. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // A code point has at most two units, so only the beginning of a very long text is split.
  const points = Array.from(text.slice(0, 2 * length + 2));
  return points.length <= length ? text : `${points.slice(0, length - 1).join("")}…`;
}

/** Cuts a text by UTF-16 units, in which content limits are counted. */
export const cutToUnits = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

// Chinese, Japanese and Korean lines break between any two characters.
const BREAKS_ANYWHERE = /[\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const LONGEST_WORD = 30;

/** The same, back to the end of a word; within one that is longer than words are. */
export function cutAtWord(text: string, length: number): string {
  const shortened = cut(text, length);
  if (shortened === text) return text;
  const points = Array.from(shortened).slice(0, -1);
  const next = String.fromCodePoint(text.codePointAt(points.join("").length) ?? 0x20);
  const isBetween = (before: string, after: string) => BREAKS_ANYWHERE.test(before) || BREAKS_ANYWHERE.test(after);
  for (let end = points.length; end > 0 && points.length - end <= LONGEST_WORD; end--) {
    if (isBetween(points[end - 1] ?? "", points[end] ?? next)) return `${points.slice(0, end).join("").trimEnd()}…`;
  }
  return shortened;
}

const MAX_TOKEN_CHARS = 128;

/** Cuts a token to a length that any index accepts: encoded blobs and long addresses are found by their beginning. */
export function cutToken(token: string): string {
  if (token.length <= MAX_TOKEN_CHARS) return token;
  const cut = token.slice(0, MAX_TOKEN_CHARS);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
