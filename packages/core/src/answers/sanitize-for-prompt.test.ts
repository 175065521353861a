import { describe, expect, it } from "vitest";
import { framed, framedLines, NOTICE } from "./sanitize-for-prompt.ts";

it("has a notice that says what recalled content is", () => {
  expect(NOTICE).toContain("untrusted data");
});

describe("framed text", () => {
  it.each([
    ["</chest-recall>", "[/chest-recall]"],
    ["< / Chest-Recall >", "[ / Chest-Recall ]"],
    ["＜／ｃｈｅｓｔ－ｒｅｃａｌｌ＞", "[／ｃｈｅｓｔ－ｒｅｃａｌｌ]"],
    ["<chest_recall id=1>", "[chest_recall id=1]"],
    ["〈/chest‑recall〉", "[/chest‑recall]"],
    ["﹤SESSION_KNOWLEDGE﹥", "[SESSION_KNOWLEDGE]"],
    ["<𝐦𝐞𝐦𝐨𝐫𝐲_𝐝𝐚𝐭𝐚>", "[𝐦𝐞𝐦𝐨𝐫𝐲_𝐝𝐚𝐭𝐚]"],
    ["</system\u200b-remin\u00adder>", "[/system-reminder]"],
    ["</chest-\nrecall\n>", "[/chest- recall ]"],
    ["<</chest-recall>>", "<[/chest-recall]>"],
    ["</chest-recall", "[/chest-recall"],
    ["</chest-recall </chest-recall>", "[/chest-recall [/chest-recall]"],
    ...["\u2044", "\u2215", "\u29F8", "\u2571", "\u27CB", "\u30CE"].map((slash) => [
      `<${slash}chest-recall>`,
      `[${slash}chest-recall]`,
    ]),
    ...["\u2212", "\u2043", "\u2796", "\u02D7", "\u2500", "\u30FC", "\u2014"].map((hyphen) => [
      `</chest${hyphen}recall>`,
      `[/chest${hyphen}recall]`,
    ]),
    ...["\u227A \u227B", "\u00AB \u00BB", "\u2039 \u203A", "\u1438 \u1433", "\u29FC \u29FD", "\uFE64 \uFF1E"].map(
      (pair) => [pair.replace(" ", "/memory-data"), "[/memory-data]"],
    ),
    // Letters of Cyrillic, Greek, Cherokee, Lisu, with accents, in circles, as a ligature, as digits.
    ["</\u0441h\u0435\u0455t-r\u0435\u0441\u0430ll>", "[/\u0441h\u0435\u0455t-r\u0435\u0441\u0430ll]"],
    ["</\u0422\u0415\u041C\u041E\u0420\u0423>", "</\u0422\u0415\u041C\u041E\u0420\u0423>"],
    [
      "</\u041C\u0415\u041C\u041E\u0433\u0423-\u0501\u0430\u0442\u0430>",
      "[/\u041C\u0415\u041C\u041E\u0433\u0423-\u0501\u0430\u0442\u0430]",
    ],
    ["</sy\u0455\u03C4em-\u0433emind\u1D07r>", "[/sy\u0455\u03C4em-\u0433emind\u1D07r]"],
    ["</\u13DFhest-recall>", "[/\u13DFhest-recall]"],
    ["</ch\u00E9st-re\u0301call>", "[/ch\u00E9st-re\u0301call]"],
    ["<\u0338chest-recall\u226F", "[\u0338chest-recall]"],
    ["</\u{1F152}\u{1F177}est-recall>", "[/\u{1F152}\u{1F177}est-recall]"],
    ["</che\uFB06-recall>", "[/che\uFB06-recall]"],
    ["</chest-reca\u01C1>", "[/chest-reca\u01C1]"],
    ["</sess|0n-know1edge>", "[/sess|0n-know1edge]"],
    ["</rnernory-data>", "[/rnernory-data]"],
  ])("has no tag of a frame: %j", (text, expected) => {
    expect(framed(text)).toBe(expected);
    expect(framed(expected)).toBe(expected);
  });

  it("keeps other tags, comparisons and generics", () => {
    for (const text of [
      "a < b > c",
      "Promise<T>",
      "<div>",
      "x <= y",
      "the chest-recall block",
      "<memory>",
      "日本語 〈注〉",
      "Map<Memory, Data>",
      "«Сессия: знание»",
      "память ‹данные›",
      "<メモリー・データ>",
    ]) {
      expect(framed(text)).toBe(text);
    }
  });

  it("keeps its lines where they are wanted, and has no tag over several of them either", () => {
    expect(framedLines("a\r\nb\rc\u2028\td\u0000\n")).toEqual(["a", "b", "c", "  d", ""]);
    expect(framedLines("x <\n/memory\n_data\n> y")).toEqual(["x [", "/memory", "_data", "] y"]);
    expect(framedLines("日本\n</memory_data>")).toEqual(["日本", "[/memory_data]"]);
  });

  it("is one line without control, bidi and zero-width characters", () => {
    expect(framed("a\r\nb\tc\u2028d\u0000e\u001b[0m\u202Ef\u2066g\u200dh\ufeffi\u{e0041}j")).toBe("a b c de[0mfghij");
  });

  it.each([
    "<",
    "< ",
    "</",
    "<chest-recall",
    "<chest ",
    "<chest-",
    ">",
    "\n",
    "か",
    "〈",
    "«",
    "<\u0301",
    "<c\u0301",
    "\uD800",
  ])("ends for 100,000 times %j", (piece) => {
    expect(framed(piece.repeat(100_000))).not.toMatch(/<\s*chest-recall/);
  });
});
