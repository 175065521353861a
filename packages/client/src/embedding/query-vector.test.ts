import { type Next, throughStages } from "@chest/core/executor";
import { noEmbedder } from "@chest/core/ports";
import { TOOLS } from "@chest/core/tools";
import { aCall, recordingEmbedder, TINY_IDENTITY } from "@chest/testing";
import { expect, it, vi } from "vitest";
import { type QueryVectorOptions, withQueryVector } from "./query-vector.ts";
import { base64 } from "./remote-pending.ts";

const embedder = recordingEmbedder();

function open(over: Partial<QueryVectorOptions> = {}) {
  const end = vi.fn<Next>(async () => ({ ok: true }));
  const options = { embedders: () => embedder, wanted: async () => TINY_IDENTITY, withinMs: 200 };
  const executor = throughStages(TOOLS, end, withQueryVector({ ...options, ...over }));
  return async (tool: string, input: object) => {
    await executor.execute(tool, input, aCall());
    return end.mock.lastCall?.[0].input;
  };
}

it("sends a question with its vector", async () => {
  const vector = await embedder.embedQuery("a bird", new AbortController().signal);
  expect(await open()("chest_recall", { query: "a bird", limit: 3 })).toEqual({
    query: "a bird",
    limit: 3,
    query_embedding: { ...TINY_IDENTITY, vector: base64(vector ?? new Float32Array()) },
  });
});

it.each([
  ["the tool takes no vector", {}, "chest_remember", { query: "a bird" }],
  ["there is no question in it", {}, "chest_recall", { entity_name: "acme" }],
  ["it asks by ids", {}, "chest_recall", { query: "a bird", ids: [1] }],
  ["it has one", {}, "chest_recall", { query: "a bird", query_embedding: { vector: "AAAA" } }],
  ["the backend embeds", { wanted: async () => undefined }, "chest_recall", { query: "a bird" }],
  ["there is no model here", { embedders: () => noEmbedder }, "chest_recall", { query: "a bird" }],
  [
    "the model is late",
    { withinMs: 10, embedders: () => ({ ...embedder, embedQuery: () => new Promise<undefined>(() => {}) }) },
    "chest_recall",
    { query: "a bird" },
  ],
  [
    "the model fails",
    { embedders: () => ({ ...embedder, embedQuery: () => Promise.reject(new Error("no")) }) },
    "chest_recall",
    { query: "a bird" },
  ],
] as const)("sends it as it is when %s", async (_, over, tool, input) => {
  expect(await open(over)(tool, input)).toEqual(input);
});
