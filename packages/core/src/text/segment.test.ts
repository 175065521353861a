import { describe, expect, it } from "vitest";
import { SEGMENTER_VERSION, segment, termsOf } from "./segment.ts";

const wordsOf = (text: string) => segment(text).words.split(" ");
const gramsOf = (text: string) => segment(text).grams.split(" ");

describe("words", () => {
  it.each([
    ["deploy", ["deploy", "deploi"]],
    ["The failures", ["the", "failures", "failur"]],
    ["naïve", ["naive", "naiv"]],
    ["12 of 12,000", ["12", "of", "12000"]],
    ["don’t", ["don", "t"]],
    ["chest_recall_file", ["chest_recall_file", "chest", "recall", "recal", "file"]],
    ["getUserById", ["getuserbyid", "get", "user", "by", "id"]],
    ["a.b", ["a.b", "a", "b"]],
    [
      "src/a-b/login.test.ts",
      ["src/a-b/login.test.ts", "src", "a-b", "a", "b", "login.test.ts", "login", "test", "ts"],
    ],
    ["1.2.3", ["1.2.3", "1", "2", "3"]],
    ["E_FOO-12", ["e_foo-12", "e_foo", "e", "foo", "12"]],
    ["C++ and C# at 50%", ["c++", "c", "and", "c#", "c", "at", "50%", "50"]],
    ["std::vector", ["std::vector", "std", "vector"]],
    ["x@y.io", ["x@y.io", "x", "y.io", "y", "io"]],
    ["NOT", ["not"]],
    ["ＦＵＬＬ ﬁle", ["full", "file"]],
  ])("of %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("of Japanese, Chinese, Korean and Thai come from the dictionary", () => {
    expect(wordsOf("データベース接続")).toEqual(["データベース", "接续"]);
    expect(wordsOf("连接失败")).toEqual(["连接", "失败"]);
    expect(wordsOf("배포가 실패")).toEqual(["배포가", "배포", "실패"]);
    expect(wordsOf("ภาษาไทย")).toEqual(["ภาษา", "ไทย"]);
  });

  it("of a mixed line come by run of script", () => {
    expect(wordsOf("APIキー 12個")).toEqual(["api", "キー", "12", "个"]);
  });
});

describe("grams", () => {
  it("are single characters and overlapping bigrams of CJK runs", () => {
    expect(gramsOf("接続数 abc 배포")).toEqual(["接", "接续", "续", "续数", "数", "배", "배포", "포"]);
  });

  it("keep dakuten, also of half-width kana", () => {
    expect(gramsOf("ﾃﾞﾌﾟ")).toEqual(["デ", "デプ", "プ"]);
    expect(segment("か\u3099").grams).toBe("が");
  });

  it("keep astral characters whole", () => {
    expect(gramsOf("𠮟る")).toEqual(["𠮟", "𠮟る", "る"]);
  });
});

describe("terms of a query", () => {
  it("have bigrams, or the lone character of a run of one", () => {
    expect(termsOf("接続数 と 배").grams).toEqual(["接续", "续数", "と", "배"]);
  });

  it("come once each, in order, and are all in the index of the same text", () => {
    const text = "deploy 接続数 deploy failures E_FOO-12 接続";
    const { words, grams } = termsOf(text);
    expect(words).toEqual([...new Set(wordsOf(text))]);
    expect(new Set(gramsOf(text)).isSupersetOf(new Set(grams))).toBe(true);
  });
});

it("gives no token with a blank, and the same tokens each time", () => {
  const text = "ﷺ １２ °C ½ a\u00a0b\u3000c ゛ \uD800 e\u0301 𝐀𝐁 🎉 \u200b ㍿";
  const { words, grams } = segment(text);
  for (const token of `${words} ${grams}`.split(" ")) expect(token).toMatch(/^\S+$/u);
  expect(segment(text)).toEqual({ words, grams });
});

it("gives nothing for a text without letters or digits", () => {
  for (const text of ["", " ", "%", '"*"', "___", "🎉", "…—!"]) expect(segment(text)).toEqual({ words: "", grams: "" });
});

it("names its version and that of ICU", () => {
  expect(SEGMENTER_VERSION).toMatch(/^\d+\+icu\d+/);
});

it.each([
  "a",
  "aB",
  "a.",
  "a-_",
  "::",
  "-----",
  "a://",
  "é",
  "e\u0301",
  "\u0301",
  "漢",
  "か",
  "゙",
  "한",
  "ไ",
  "ﷺ",
  "A1",
])("bounds what 100,000 characters of %j become", (piece) => {
  const { words, grams } = segment(piece.repeat(100_000 / piece.length));
  expect(words.length + grams.length).toBeLessThan(4_000_000);
});
