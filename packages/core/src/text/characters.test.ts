import { expect, it } from "vitest";
import { wellFormed } from "./characters.ts";

it("replaces lone surrogates and U+0000", () => {
  expect(wellFormed("a\uD83Db\uDE00c\0d")).toBe("a\uFFFDb\uFFFDc\uFFFDd");
});

it("leaves pairs, line ends and other control characters alone", () => {
  const text = "😀\r\n\t\u0001 e\u0301";
  expect(wellFormed(text)).toBe(text);
});
