import { expect, it, vi } from "vitest";
import { readReranking, tellOfReranker } from "./reranking.ts";
import { fixtureModels } from "./testing/index.ts";

const VALUES = {
  CHEST_RERANK_ENABLED: true,
  CHEST_RERANK_MODEL: "acme/none",
  CHEST_RERANK_TOP_N: 20,
  CHEST_RERANK_TIMEOUT_MS: 5000,
};

async function told(values: typeof VALUES): Promise<readonly unknown[]> {
  const log = { info: vi.fn(), warn: vi.fn() };
  const choice = readReranking(values);
  if (typeof choice === "string") throw new Error(choice);
  await tellOfReranker(choice, { modelsDir: await fixtureModels(), log });
  return log.warn.mock.calls.map(([fields]) => fields);
}

it("says at the start that a reranker which is switched on is not there, and how it comes", async () => {
  expect(await told({ ...VALUES, CHEST_RERANK_ENABLED: false })).toEqual([]);
  expect(await told(VALUES)).toEqual([
    expect.objectContaining({ model: "acme/none", hint: expect.stringContaining("--reranker") }),
  ]);
});
