import { expect, it } from "vitest";
import { closingOf, endOfLine, openingAt } from "./quoted.ts";

function inner(text: string): string | undefined {
  const opening = openingAt(text, 0);
  return opening && text.slice(opening.length, closingOf(opening, text, opening.length));
}

it.each([
  ['"abc" d', "abc"],
  ["'a\"b' c", 'a"b'],
  ['"a\\"b" c', 'a\\"b'],
  ['"a\\\\" b', "a\\\\"],
  ['\\"abc\\", \\"d\\"', "abc"],
  ['\\"a\\\\\\"b\\" c', 'a\\\\\\"b'],
  ['\\"abc", d', "abc"],
  ['"""a "quoted" b""" c', 'a "quoted" b'],
  ['""', ""],
  ['"open\nnext"', "open"],
  ["bare", undefined],
])("the inside of %j is %j", (text, expected) => {
  expect(inner(text)).toBe(expected);
});

it("ends a line at any line end", () => {
  expect([endOfLine("ab\ncd", 0), endOfLine("ab\r\ncd", 1), endOfLine("ab", 0)]).toEqual([2, 2, 2]);
});
