/** A letter or a digit, of any script. */
const SIGN = /[\p{L}\p{Nd}]/gu;
/** A letter of a script that the sentence model was trained on. */
const READ = /[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Nd}]/gu;
const LEAST_SHARE = 0.5;
/** UTF-16 units that are examined: a text's beginning shows its script. */
const LOOKED_AT = 2000;

/**
 * Whether the sentence model knows most letters of a text. Texts of other scripts, and texts of emoji alone, all look
 * alike to it.
 */
export function isReadBySentences(text: string): boolean {
  const head = text.slice(0, LOOKED_AT);
  const signs = count(SIGN, head);
  return signs > 0 && count(READ, head) >= LEAST_SHARE * signs;
}

function count(sign: RegExp, text: string): number {
  let found = 0;
  sign.lastIndex = 0;
  while (sign.test(text)) found += 1;
  return found;
}
