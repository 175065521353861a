import { isAscii } from "./ascii.ts";

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;

/** Tokens a model will count for a text: `ceil(0.3·length + 0.4·cjk)`, 1.5's figure corrected for CJK. */
export function estimateTokens(text: string): number {
  const cjk = isAscii(text) ? 0 : (text.match(CJK)?.length ?? 0);
  // In tenths: 0.3 and 0.4 are not exact in binary, and a whole result could round up.
  return Math.ceil((3 * text.length + 4 * cjk) / 10);
}

/** Lower bound of a text's tokens, in whatever script, without reading it. */
export const leastTokens = (text: string): number => Math.floor((3 * text.length) / 10);
