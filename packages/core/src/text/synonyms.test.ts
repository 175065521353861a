import { describe, expect, it } from "vitest";
import { readSynonyms } from "./synonyms.ts";

const synonyms = () =>
  readSynonyms(["Größe, size, data volume, 大小, 資料量", "ＤＢ, data base, データベース", "size, 外形"]);

/** Expressions by their words; each one in a script without blanks has another by its grams. */
const textsOf = (expressions: readonly (readonly { readonly text: string; readonly isGram: boolean }[])[] = []) =>
  expressions
    .filter((terms) => !terms.some(({ isGram }) => isGram))
    .map((terms) => terms.map(({ text }) => text).join(" "));

describe.each([
  ["in ASCII", (_: ReturnType<typeof synonyms>) => undefined],
  ["in ASCII after one in Japanese", (request: ReturnType<typeof synonyms>) => request.phrasesIn("データベースの大小")],
])("a question %s", (_, before) => {
  const asked = () => {
    const made = synonyms();
    before(made);
    return made;
  };

  it("finds an expression however it is written in its group", () => {
    expect(textsOf(asked().of("grosse"))).toEqual(["size", "data volume", "大小", "资料量"]);
    expect(textsOf(asked().of("db"))).toEqual(["data base", "データベース"]);
  });

  it("finds the others of every group that has it", () => {
    expect(textsOf(asked().of("size"))).toEqual(["grosse", "data volume", "大小", "资料量", "外形"]);
  });

  it("finds phrases between other words, and none within a word", () => {
    const phrases = asked().phrasesIn("Which Data Base has that data volumetry?");
    expect(phrases.map(({ text }) => text)).toEqual(["data base"]);
    expect(textsOf(phrases[0]?.others)).toEqual(["db", "データベース"]);
  });

  it("finds nothing that has no group", () => {
    expect(asked().of("data")).toBeUndefined();
    expect(asked().phrasesIn("nothing of this")).toEqual([]);
  });
});
