import { describe, expect, it } from "vitest";
import { hashtagsOf, MAX_TAGS, readTags, uniteTags } from "./tags.ts";

describe("a tag", () => {
  it.each([
    ["#Deploy", "deploy"],
    [" spaced ", "spaced"],
    ["ＡＢＣ", "abc"],
    ["a-b_c.d:e/f", "a-b_c.d:e/f"],
    ["日本語", "日本語"],
    ["हिन्दी", "हिन्दी"],
    ["123", "123"],
    ["C++", "c++"],
    ["#C#", "c#"],
    ["x".repeat(100), "x".repeat(100)],
  ])("%j is compared as %j", (input, tag) => {
    expect(readTags([input])).toEqual([tag]);
  });

  it("stands once, in the order given", () => {
    expect(readTags(["b", "#B", "a", "b "])).toEqual(["b", "a"]);
  });

  it.each(["", "#", " ", "two words", "a,b", "c+", "+c", "c#d", "x".repeat(101), "ﷺ", "\ud800", "a\0b", "<b>", "🦊"])(
    "is not %j",
    (input) => {
      expect(() => readTags(["fine", input], "add_tags")).toThrow(
        expect.objectContaining({
          code: "VALIDATION_ERROR",
          details: { issues: [{ path: "add_tags", message: expect.any(String) }] },
        }),
      );
    },
  );
});

describe("the hashtags of a text", () => {
  it.each([
    ["see #Deploy and (#ops), #deploy again", ["deploy", "ops"]],
    ["#first. #second: #third/", ["first", "second", "third"]],
    ["#123 #fff #a1b2c3 #deadbeef", []],
    ["#C++, not #d+, and a Weibo #话题#", ["c++", "d", "话题"]],
    ["a#b https://x.example/#anchor ##double", []],
    ["これは#日本語 と、#東京、です", ["東京"]],
    ["# heading\n#title", ["title"]],
  ])("%j are %j", (text, tags) => {
    expect(hashtagsOf(text)).toEqual(tags);
  });

  it("are only what can be a tag, so no text is refused for them", () => {
    for (const text of [`#${"ﷺ".repeat(50)}`, `#${"İ".repeat(100)}`, "#token:santa", `#${"x".repeat(500)}`]) {
      expect(readTags(hashtagsOf(text).filter((tag) => !tag.startsWith("token")))).toBeInstanceOf(Array);
    }
  });
});

describe("united tags", () => {
  it("are those of both, as many as a memory keeps, and say whether some were left out", () => {
    const fifty = Array.from({ length: MAX_TAGS }, (_, i) => `t${i}`);
    expect(uniteTags(["a", "b"], ["b", "c"])).toEqual({ kept: ["a", "b", "c"], isCut: false });
    expect(uniteTags(fifty, ["t1"])).toEqual({ kept: fifty, isCut: false });
    expect(uniteTags(fifty, ["more"])).toEqual({ kept: fifty, isCut: true });
  });
});
