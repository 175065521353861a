import { isAscii } from "./ascii.ts";

const LATIN_MARKS = /(\p{Script=Latin})\p{Mn}+/gu;

/** Lower case without the diacritics of Latin letters; kana keep their dakuten, other scripts their marks. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower.normalize("NFD").replace(LATIN_MARKS, "$1").normalize("NFC");
}
