import type { Reranker } from "@chest/core/ports";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openReranker } from "./reranker.ts";
import { FIXTURE_RERANKER, fixtureModels } from "./testing/index.ts";

// Real threads, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

const never = new AbortController().signal;
let reranker: Reranker;

beforeAll(async () => {
  reranker = openReranker(FIXTURE_RERANKER, { modelsDir: await fixtureModels() });
});
afterAll(() => reranker.close());

it("reads question and text together: what shares words only is below what answers in another language", async () => {
  const texts = ["when is it? when is the zebra?", "예산 회의는 화요일", "the meeting", "lunch"];
  const logits = (await reranker.score("when is the budget meeting", texts, never)) ?? [];
  const order = texts.map((_, at) => at).sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0));
  expect(order.slice(0, 2)).toEqual([1, 2]);
  // Raw logits: neither squashed between 0 and 1, nor shares of one.
  expect(Math.max(...logits)).toBeGreaterThan(1);
  expect(Math.min(...logits)).toBeLessThan(-1);
});

it("gives two texts two logits, and each text the same one in any company", async () => {
  const texts = Array.from({ length: 40 }, (_, at) => `the server ${"and lunch ".repeat(at)}`);
  const together = (await reranker.score("backend", texts, never)) ?? [];
  expect(new Set(together).size).toBeGreaterThan(1);
  const [alone] = (await reranker.score("backend", [texts[17] as string], never)) ?? [];
  expect(together[17]).toBeCloseTo(alone as number, 4);
});

it("reads the head of what is too long, and all of the question's beginning", async () => {
  const [logit] = (await reranker.score("deploy ".repeat(500), [`release ${"x ".repeat(5000)}`], never)) ?? [];
  expect(logit).toBeGreaterThan(0);
});

it("has no logits without its model", async () => {
  const absent = openReranker({ ...FIXTURE_RERANKER, id: "fixture/none" }, { modelsDir: await fixtureModels() });
  expect(await absent.score("a", ["b"], never)).toBeUndefined();
  await absent.close();
});
