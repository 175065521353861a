import { isOfWords } from "./code.ts";

/**
 * Rarity of letter pairs in English, German, French, Spanish and Portuguese: one row for each letter from a to z, with
 * a digit for each following letter, from 0, common, to 5, never.
 */
const SELDOM = [
  "10001000000000001000001100",
  "01220212022022035001022522",
  "03020330030032032010033513",
  "02210212022121023001011313",
  "00000000000000001000000010",
  "02330012032021025010032322",
  "02330210031020025000032512",
  "01320222031000023000020502",
  "00000001210000000000103030",
  "05330355135535035335035555",
  "02330222032021023000032522",
  "00100110031011012200012501",
  "00220222032202005201032312",
  "00000000010110011100001310",
  "00000000010000001000000111",
  "02220020033022005000033513",
  "35355555355355555533055555",
  "00000000020000001000010300",
  "00010100030001001100011511",
  "01120110032011013000011300",
  "00000000011000202000212111",
  "03230533055353035123233325",
  "02320331032231035112033323",
  "03151352153333113531255223",
  "12111323153111115101232352",
  "02130223052222023320031522",
];
// Threshold: one word in a thousand is above it, as are nine in ten strings of ten random letters.
const BY_CHANCE = 0.6;
const LEAST_LETTERS = 8;
const A = "a".charCodeAt(0);

const OPAQUE = /^(?:(?:0x)?[0-9a-f]{32,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const LETTERS = /^[A-Za-z]+$/;
const ACRONYM = /[A-Z]{2,6}(?![a-z])/g;
const HUMP = /[a-z][A-Z]/;
const HAS_DIGIT = /\d/;
const HAS_LOWER = /[a-z]/;
const HAS_UPPER = /[A-Z]/;
const MARKS = /[!#$%^&*+?~]/;
const EMAIL = /^[\w.+-]+@[\w-]+\.[\w.-]+$/;
const ALPHANUMERIC = /^[A-Za-z0-9]+$/;
const PRODUCT = /^(?:postgresql|graphql|mssqlserver)$/i;

/** Whether a value is machine-generated: a UUID, or at least 32 hexadecimal digits. */
export function isOpaque(value: string): boolean {
  return OPAQUE.test(value);
}

/** Whether letters are combined as in no language: `QwXzLmTrBpKd`, `xkqvzbnwtr`. */
export function isRandomLetters(value: string): boolean {
  if (value.length < LEAST_LETTERS || value.length > 200 || !LETTERS.test(value) || PRODUCT.test(value)) return false;
  if (HAS_LOWER.test(value) && HAS_UPPER.test(value)) {
    const spoken = value.replace(ACRONYM, "");
    return !isOfWords(value) || (spoken.length >= LEAST_LETTERS && seldomness(spoken) >= BY_CHANCE);
  }
  return seldomness(value) >= BY_CHANCE;
}

/** Whether a value looks generated as a secret. */
export function looksGenerated(value: string): boolean {
  if (isOpaque(value) || isRandomLetters(value)) return true;
  if (value.length < LEAST_LETTERS || EMAIL.test(value)) return false;
  const isMixed = HAS_LOWER.test(value) && HAS_UPPER.test(value);
  if (MARKS.test(value)) return HAS_DIGIT.test(value) || (isMixed && !isOfWords(value));
  if (!HAS_DIGIT.test(value) || !ALPHANUMERIC.test(value)) return false;
  const letters = value.replace(/\d/g, "");
  return isMixed ? !isOfWords(value) : letters.length >= 5 && seldomness(letters) >= BY_CHANCE;
}

function seldomness(word: string): number {
  const letters = word.toLowerCase();
  let sum = 0;
  for (let at = 1; at < letters.length; at += 1) {
    // Pairs across the humps of `SyntaxKind` say nothing, because any words may be joined.
    if (HUMP.test(word.slice(at - 1, at + 1))) continue;
    sum += Number(SELDOM[letters.charCodeAt(at - 1) - A]?.[letters.charCodeAt(at) - A] ?? 0);
  }
  return sum / (letters.length - 1);
}
