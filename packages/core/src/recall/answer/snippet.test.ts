import { expect, it } from "vitest";
import { snippet } from "./snippet.ts";

const filler = (length: number) => "lorem ipsum ".repeat(Math.ceil(length / 12)).slice(0, length);
const lengthOf = (text: string) => Array.from(text).length;

it("gives a content no longer than the window whole", () => {
  expect(snippet("a".repeat(40), ["b"], 40)).toEqual({ text: "a".repeat(40), isCut: false });
  expect(snippet("😀".repeat(40), [], 40)).toEqual({ text: "😀".repeat(40), isCut: false });
});

it("is centred on the earliest hit of any term", () => {
  const content = `${filler(300)} VACUUM ${filler(300)} backup ${filler(300)}`;
  const { text, isCut } = snippet(content, ["backup", "vacuum"], 60);
  expect(isCut).toBe(true);
  expect(lengthOf(text)).toBe(62);
  expect(text.indexOf("VACUUM")).toBe(28);
  expect(text).not.toContain("backup");
});

it("keeps the window's length at both ends of the content", () => {
  const content = `backup ${filler(500)} vacuum`;
  expect(snippet(content, ["backup"], 50).text).toMatch(/^backup .{43}…$/);
  expect(snippet(content, ["vacuum"], 50).text).toMatch(/^….{44}vacuum$/);
});

it("is the head when nothing hits", () => {
  expect(snippet(filler(100), ["absent", ""], 40).text).toBe(`${filler(40)}…`);
});

it.each([
  ["a stem", "deploying", ["deploi", "deploy"]],
  ["another case", "ＤＥＰＬＯＹ", ["deploy"]],
  ["folded diacritics", "Naïve", ["naive"]],
  ["a part of an identifier", "getUserById", ["user"]],
  ["a whole identifier", "src/auth/login.test.ts", ["src/auth/login.test.ts"]],
  ["a part of a snake-case name", "chest_recall_file", ["recall"]],
  ["a bigram", "データベース接続", ["接续"]],
  ["a gram of half-width kana", "ｶﾀ", ["カタ"]],
  ["letters inside a word, failing all else", "concatenate", ["cat"]],
])("finds %s", (_, found, terms) => {
  expect(snippet(`${filler(400)}. ${found} ${filler(400)}`, terms, 60).text).toContain(found);
});

it("prefers a word to the same letters inside another", () => {
  expect(snippet(`concatenate ${filler(400)} cat ${filler(400)}`, ["cat"], 40).text).toContain(" cat ");
});

it("counts places in code points", () => {
  const { text } = snippet(`${"😀".repeat(300)} backup ${"😀".repeat(300)}`, ["backup"], 40);
  expect(text).toMatch(/^…(?:😀){16} backup (?:😀){16}…$/u);
});

it("splits no surrogate pair and no grapheme", () => {
  const family = "👨‍👩‍👧";
  const { text } = snippet(`${family.repeat(100)}x${family.repeat(100)}`, ["x"], 43);
  expect(text.isWellFormed()).toBe(true);
  expect(text.replaceAll(family, "")).toBe("…x…");
  expect(lengthOf(text)).toBeLessThanOrEqual(45);
});

it("splits a grapheme that is longer than the window", () => {
  const { text } = snippet(`e${"\u0301".repeat(500)}`, [], 40);
  expect(lengthOf(text)).toBe(41);
});

it.each(["a", "aB", "か", "e\u0301", "😀", "İ", "\uD800", "a."])("cuts 100,000 times %j to the window", (piece) => {
  const { text } = snippet(piece.repeat(100_000), ["zz", "かが", "a/b"], 240);
  expect(lengthOf(text)).toBeLessThanOrEqual(242);
});
