import { isAscii } from "./characters.ts";

/** Letters with a plain form that removing a mark does not give. */
const PLAIN: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", đ: "d", æ: "ae", œ: "oe", ı: "i", ё: "е" };
const UNMARKED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
const LATIN_MARKS = /([\p{Script=Latin}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}+/gu;

/**
 * Lower case, without the diacritics of Latin letters and the points of Hebrew and Arabic; kana keep their dakuten,
 * other scripts their marks.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize("NFD")
    .replace(LATIN_MARKS, "$1")
    .normalize("NFC")
    .replace(UNMARKED, (letter) => PLAIN[letter] ?? letter);
}
