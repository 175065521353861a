import type { Reranker } from "@chest/core/ports";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { engineFixture } from "../engine-fixture.ts";

/** A model that reads question and text together has the last word, and nothing is lost without it. */
export function recallRerankedContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  /** The desk of a caller whose recalls are reranked. */
  function rerankedBy(agent: Agent, score: Reranker["score"], over: { topN?: number; timeoutMs?: number } = {}) {
    const rerank = { reranker: { score, close: async () => undefined }, topN: 20, timeoutMs: 2000, ...over };
    return {
      ...anAgent(
        { ...fixture, engine: fixture.engine, as: fixture.as, ports: { ...fixture.ports, rerank } },
        agent.caller,
      ),
    };
  }

  /** A number of memories that all have the word, and their order without a reranker. */
  async function aShelf(count: number) {
    const agent = anAgent(fixture);
    for (let at = 0; at < count; at++) await agent.store(`the ruru calls at ${at}`);
    return { agent, before: await agent.find("ruru") };
  }

  /** Logits by memory, best first as they stand in the list. */
  const inOrderOf =
    (contents: readonly string[], step = 0.1): Reranker["score"] =>
    async (_, texts) =>
      texts.map((text) => -step * contents.indexOf(text));

  it("puts what the model reads as the answer first", async () => {
    const { agent, before } = await aShelf(4);
    const contents = (await agent.recall({ query: "ruru" })).memories.map(({ content }) => content);
    const asked: unknown[] = [];
    const reranked = rerankedBy(agent, async (query, texts, signal) => {
      asked.push(query, [...texts]);
      return inOrderOf(contents.toReversed())(query, texts, signal);
    });
    expect(await reranked.find("ruru")).toEqual(before.toReversed());
    expect(asked).toEqual(["ruru", contents]);
  });

  it("keeps the order of equals, and of what is below the best", async () => {
    const { agent, before } = await aShelf(6);
    const [first, second, third, ...rest] = before;
    const reranked = rerankedBy(agent, async (_, texts) => texts.map((_text, at) => (at === 2 ? 1 : 0)), { topN: 3 });
    expect(await reranked.find("ruru")).toEqual([third, first, second, ...rest]);
  });

  it("leaves out what is far below the best, while five remain", async () => {
    const { agent, before } = await aShelf(7);
    const lastFar = rerankedBy(agent, async (_, texts) => texts.map((_text, at) => (at === 6 ? -6 : 0)));
    expect(await lastFar.recall({ query: "ruru" })).toMatchObject({ count: 6, total_candidates: 6, has_more: false });
    const allFar = rerankedBy(agent, async (_, texts) => texts.map((_text, at) => -6 * at));
    expect(await allFar.find("ruru")).toEqual(before.slice(0, 5));
  });

  it("gives pages of one order", async () => {
    const { agent, before } = await aShelf(6);
    const contents = (await agent.recall({ query: "ruru" })).memories.map(({ content }) => content);
    const reranked = rerankedBy(agent, inOrderOf(contents.toReversed()));
    const pages = [0, 2, 4].map((offset) => reranked.find("ruru", { limit: 2, offset }));
    expect((await Promise.all(pages)).flat()).toEqual(before.toReversed());
  });

  it.each<[string, Reranker["score"], string]>([
    ["has no logits", async () => undefined, "failed"],
    ["fails", () => Promise.reject(new Error("no model")), "failed"],
    ["gives too few", async () => [1], "failed"],
    ["gives none that is a number", async (_, texts) => texts.map(() => Number.NaN), "failed"],
    ["hangs, and hears no signal", () => new Promise(() => undefined), "timeout"],
  ])("stays as it was when the model %s, and says so", async (_, score, reason) => {
    const { agent, before } = await aShelf(3);
    const answer = await rerankedBy(agent, score, { timeoutMs: 20 }).recall({ query: "ruru" });
    expect(answer.memories.map(({ id }) => id)).toEqual(before);
    expect(answer.degraded).toContainEqual({ leg: "rerank", reason });
  });

  it("asks the model nothing where there is nothing to choose", async () => {
    const { agent, before } = await aShelf(1);
    const reranked = rerankedBy(agent, () => Promise.reject(new Error("asked")));
    expect(await reranked.find("ruru")).toEqual(before);
    expect((await reranked.recall({ ids: [...before] })).count).toBe(1);
    expect((await reranked.recall({ entity_name: agent.entity })).degraded).toBeUndefined();
  });
}
