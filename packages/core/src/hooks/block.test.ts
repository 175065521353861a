import { aMemory } from "@chest/testing";
import { expect, it } from "vitest";
import { recallBlock } from "./block.ts";

const MAX_BLOCK = 6000;
const NOW = new Date("2026-11-21T12:00:00Z");
const block = (contents: readonly string[], width: number) =>
  recallBlock({
    occasion: "prompt",
    language: "en",
    width,
    now: NOW,
    rows: contents.map((content, at) => ({ memory: { ...aMemory(), id: at + 1, content }, score: 0.5 })),
  });

it("is never longer than an agent's context bears, holds whole memories, and names those that found room", () => {
  const long = Array.from({ length: 40 }, (_, at) => `memory ${at} ${"🦩 words ".repeat(100)}`);
  const found = block(long, 600);
  expect(found?.text.length).toBeLessThanOrEqual(MAX_BLOCK);
  expect(found?.text.length).toBeGreaterThan(MAX_BLOCK - 1500);
  expect(found?.text.match(/^- \[/gm)).toHaveLength(found?.ids.length ?? 0);
  expect(found?.ids).toEqual(found?.ids.map((_, at) => at + 1));
  expect(found?.text).toMatch(/<\/chest-recall>$/);
});

it("passes over what is too long for what is left, and goes on with what is not", () => {
  const found = block(["a".repeat(3000), "b".repeat(4000), "short"], 5000);
  expect(found?.ids).toEqual([1, 3]);
});

it("is none where nothing finds room", () => {
  expect(block(["a".repeat(7000)], 10_000)).toBeUndefined();
  expect(block([], 600)).toBeUndefined();
});
