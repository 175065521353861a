import { describe, expect, it } from "vitest";
import { marked } from "./marked-text.tsx";

const marksOf = (text: string, query: string) =>
  marked(text, query)
    .filter(({ isMarked }) => isMarked)
    .map(({ said }) => said);

describe("marks of a query in a text", () => {
  it("are on its words and on others of their stem, and on no word of two letters", () => {
    expect(marksOf("It is deployed to the blue cluster", "where do deploys go to? blue")).toEqual(["deployed", "blue"]);
  });

  it("are on words of languages without spaces", () => {
    expect(marksOf("日本語の検索は文字で索引される", "検索")).toEqual(["検索"]);
  });

  it("lose nothing of the text", () => {
    const text = "Rounding: 0.125 per line, not per total.";
    expect(
      marked(text, "rounded line")
        .map(({ said }) => said)
        .join(""),
    ).toBe(text);
    expect(marked(text, "")).toEqual([{ said: text, isMarked: false }]);
  });
});
