import { FIELD_WEIGHTS, keyOf, packed } from "@chest/core/recall";
import { expect, it } from "vitest";
import { RecentRows } from "./recent-postings.ts";

const row = (words: string, title = "") => ({ title, tags: "", words, grams: "" });
const holding = (recent: RecentRows, word: string) => recent.holding(keyOf(word, false)).ids;

it("gives a term's rows by ascending id, however they came and changed", () => {
  const recent = new RecentRows();
  for (const id of [4, 9, 2, 7]) recent.set(id, row("heron"));
  recent.set(9, row("walrus"));
  recent.set(4, row("heron walrus walrus", "heron"));
  expect(holding(recent, "heron")).toEqual([2, 4, 7]);
  expect(holding(recent, "walrus")).toEqual([4, 9]);
  expect(recent.size).toBe(4);
  const { title, words } = FIELD_WEIGHTS;
  expect(recent.holding(keyOf("heron", false)).impacts).toEqual([words, title + words, words].map(packed));
  expect(recent.holding(keyOf("walrus", false)).impacts).toEqual([2 * words, words].map(packed));
});

it("knows nothing more of a row that was taken out", () => {
  const recent = new RecentRows();
  recent.set(1, row("heron walrus"));
  recent.set(2, row("heron"));
  recent.delete(1);
  recent.delete(3);
  expect([holding(recent, "heron"), holding(recent, "walrus"), recent.size]).toEqual([[2], [], 1]);
  recent.clear();
  expect([holding(recent, "heron"), recent.size]).toEqual([[], 0]);
});
