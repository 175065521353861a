import { aMemory } from "@chest/testing";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { estimateTokens } from "../text/tokens.ts";
import { idsOf, knowledgeBlock, recallBlock } from "./block.ts";

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
  expect(found?.text.match(/^- \[/gm)).toHaveLength(found?.lines.length ?? 0);
  expect(idsOf(found?.lines ?? [])).toEqual(found?.lines.map((_, at) => at + 1));
  expect(found?.text).toMatch(/<\/chest-recall>$/);
});

it("passes over what is too long for what is left, and goes on with what is not", () => {
  const found = block(["a".repeat(3000), "b".repeat(4000), "short"], 5000);
  expect(idsOf(found?.lines ?? [])).toEqual([1, 3]);
});

it("of a session that begins has two thousand tokens at most, by the count of a model within a tenth", () => {
  for (const words of [
    "the credit-note export streams in pages of 500 rows ",
    "夜間のエクスポートは口座ごとにカーソルを開きます。",
    "src/export/InvoiceRow.ts: RangeError E42 ",
    "야간 내보내기는 계정마다 커서를 하나씩 엽니다. ",
  ]) {
    const lines = Array.from({ length: 40 }, (_, at) => ({ text: `- [memory:${at}] ${words.repeat(6)}`, id: at }));
    const board = Array.from({ length: 9 }, (_, at) => ({ text: `- open work ${at}. W#${at} ${words}` }));
    const found = knowledgeBlock("ja", { occasion: "now", lines: board }, { occasion: "start", lines });
    expect(estimateTokens(found?.text ?? "")).toBeLessThanOrEqual(2000);
    const counted = countTokens(found?.text ?? "");
    expect(counted).toBeGreaterThan(1500);
    expect(counted).toBeLessThanOrEqual(2200);
    expect(idsOf(found?.lines ?? []).length).toBeGreaterThan(3);
  }
  expect(knowledgeBlock("en", { occasion: "now", lines: [] })).toBeUndefined();
});

it("is none where nothing finds room", () => {
  expect(block(["a".repeat(7000)], 10_000)).toBeUndefined();
  expect(block([], 600)).toBeUndefined();
});
