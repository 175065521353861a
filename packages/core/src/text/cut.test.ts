import { expect, it } from "vitest";
import { cutAtWord } from "./cut.ts";

it.each([
  ["the database is", 15, "the database is"],
  ["the database is slow", 10, "the…"],
  ["the database is slow", 13, "the database…"],
  ["the database is slow", 14, "the database…"],
  ["x".repeat(50), 10, `${"x".repeat(9)}…`],
  ["浜鷸の取り込みを直す", 6, "浜鷸の取り…"],
  ["the 取り込み is", 7, "the 取り…"],
  ["ab 𠮷𠮷𠮷", 5, "ab 𠮷…"],
])("cuts %j to at most %i characters at the end of a word", (text, length, expected) => {
  expect(cutAtWord(text, length)).toBe(expected);
});
