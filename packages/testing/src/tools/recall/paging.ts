import { estimateTokens } from "@chest/core/text";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import type { Recalled } from "../../tool-answers.ts";
import { engineFixture } from "../engine-fixture.ts";

const MINUTE_MS = 60_000;

/** Pages, budgets, and what reading leaves behind. */
export function recallPagingContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const page = async (agent: Agent, offset: number, over = {}) =>
    (await agent.recall({ query: "pangolin", limit: 10, offset, max_tokens: 6000, ...over })).memories.map(
      ({ id }) => id,
    );
  const fill = (agent: Agent, count: number, filler = "") =>
    Promise.all(
      Array.from({ length: count }, (_, i) => agent.store(`pangolin ${"notes ".repeat(i % 7)} ${i} ${filler}`)),
    );

  it("pages neither repeat nor skip, and reading page one twenty times moves none of them", async () => {
    const agent = anAgent(fixture);
    const ids = await fill(agent, 50);
    const pages = () => Promise.all([0, 10, 20, 30, 40].map((offset) => page(agent, offset, { mark_accessed: false })));
    const before = await pages();
    expect(before.flat().toSorted()).toEqual(ids.toSorted());
    for (let i = 0; i < 20; i++) {
      await page(agent, 0);
      fixture.clock.advance(1000);
    }
    const last = before[0]?.at(-1) ?? 0;
    await expect
      .poll(async () => (await fixture.as({ caller: agent.caller }).memories.byId(last))?.accessCount, {
        timeout: 5000,
      })
      .toBe(20);
    expect(await pages()).toEqual(before);
  });

  it("pages of a token that opens fewer projects go by what it has seen itself", async () => {
    const agent = anAgent(fixture, { project: undefined });
    const [wide, narrow] = [`${agent.entity}-wide`, `${agent.entity}-narrow`];
    for (const place of ["plain", "gorge", "ridge"]) {
      await agent.store(`numbat ${place}`, { project: wide });
      await agent.store(`${"a long walk ".repeat(9)} to the numbat of the ${place}`, { project: narrow });
    }
    const project = (await fixture.engine.access.projects()).find(({ key }) => key === narrow);
    const limited = { ...agent.caller, token: { id: 1, projectIds: [project?.id ?? 0], expiresAt: undefined } };
    const ask = async (offset: number, caller = agent.caller) => {
      const asked = { query: "numbat", limit: 2, offset, mark_accessed: false };
      const { memories } = (await agent.call("chest_recall", asked, { caller })) as Recalled;
      return memories.map(({ id }) => id);
    };
    const alone = await ask(2, limited);
    for (const offset of [0, 2]) expect(await ask(offset)).toHaveLength(2);
    expect([alone.length, await ask(2, limited)]).toEqual([1, alone]);
  });

  it("`mark_accessed: false` leaves no trace; a marked reading warms what it showed, and only that", async () => {
    const agent = anAgent(fixture);
    const [shown = 0, hidden = 0] = [await agent.store("pangolin shown"), await agent.store("pangolin hidden")];
    const heatOf = async (id: number) => (await agent.recall({ ids: [id], mark_accessed: false })).memories[0]?.heat;
    expect(await heatOf(shown)).toBe(27.5);
    for (let i = 0; i < 5; i++) await agent.recall({ ids: [shown, hidden], mark_accessed: false });
    await agent.recall({ ids: [shown, hidden], limit: 1 });
    await expect.poll(() => heatOf(shown), { timeout: 5000 }).toBe(32);
    expect(await heatOf(hidden)).toBe(27.5);
    const [entity] = (await agent.list()).entities;
    expect(entity?.last_memory_access).toBe(fixture.clock.now().toISOString());
  });

  it("shows what ran out: the limit, the tokens, or the memories", async () => {
    const agent = anAgent(fixture);
    await fill(agent, 20, "a rather long tail of words that are all the same ".repeat(4));
    expect(await agent.recall({ query: "pangolin", limit: 3 })).toMatchObject({
      count: 3,
      total_candidates: 20,
      has_more: true,
      stopped_by: "limit",
    });
    expect(await agent.recall({ query: "pangolin", max_tokens: 6000, limit: 20 })).toMatchObject({
      has_more: false,
      stopped_by: "end",
    });
    expect(await agent.recall({ query: "pangolin", max_tokens: 500 })).toMatchObject({
      has_more: true,
      stopped_by: "tokens",
    });
    expect(await agent.recall({ query: "pangolin", offset: 20 })).toMatchObject({
      count: 0,
      has_more: false,
      stopped_by: "end",
      offset: 20,
    });
  });

  it.each([
    [1, 100],
    [700, 700],
    [100_000, 6000],
  ])("with max_tokens %s stays within %s, one item always", async (max_tokens, budget) => {
    const agent = anAgent(fixture);
    await fill(agent, 60, "a tail of words ".repeat(20));
    const { memories } = await agent.recall({ query: "pangolin", max_tokens });
    const tokens = memories.reduce((sum, item) => sum + estimateTokens(JSON.stringify(item)), 0);
    expect(memories.length).toBeGreaterThan(0);
    if (memories.length > 1) expect(tokens).toBeLessThanOrEqual(budget);
  });

  it("pages as long as the budget are read to the end by what each has shown and named", async () => {
    const agent = anAgent(fixture);
    const ids = await fill(agent, 40, "some more words");
    const long = await agent.store(`pangolin ${"far too long ".repeat(600)}`);
    const seen: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const answer = await agent.recall({
        query: "pangolin",
        max_tokens: 1000,
        offset: seen.length,
        mark_accessed: false,
      });
      seen.push(...answer.memories.map(({ id }) => id), ...(answer.not_returned ?? []).map(({ id }) => id));
      hasMore = answer.has_more;
    }
    expect(seen.toSorted()).toEqual([...ids, long].toSorted());
  });

  it.each([undefined, 600, 1000])(
    "cuts the best answer where it is too long for the page, and leaves room for others (max_tokens: %s)",
    async (max_tokens) => {
      const agent = anAgent(fixture);
      const steps = Array.from({ length: 150 }, (_, nth) => `Step ${nth}: wait for lane ${nth} of the enclosure.`);
      const long = await agent.store(`How a pangolin is moved between enclosures. ${steps.join("\n")}`);
      const short = await agent.store("A pangolin is weighed on Mondays.");
      const asked = { query: "how is a pangolin moved between enclosures", max_tokens, entity_name: agent.entity };
      const { memories, not_returned } = await agent.recall(asked);
      expect(memories[0]).toMatchObject({ id: long, content_truncated: true });
      expect(memories[0]?.content).toMatch(/^How a pangolin is moved/);
      expect(not_returned).toBeUndefined();
      const limit = { ...asked, limit: 5 };
      const beside = (await agent.recall(limit)).memories.map(({ id }) => id);
      expect(beside).toEqual([long, short]);
      const [whole] = (await agent.recall({ ids: [long] })).memories;
      expect(whole?.content).toMatch(/lane 149 of the enclosure\.$/);
    },
  );

  it("passes over what is too long, names it, and tries the next", async () => {
    const agent = anAgent(fixture);
    const long = await agent.store(`pangolin pangolin pangolin ${"x ".repeat(3500)}`);
    const short = await agent.store("a pangolin among other words of little weight");
    const answer = await agent.recall({ query: "pangolin", max_tokens: 600, entity_name: agent.entity });
    expect(answer).toMatchObject({ memories: [{ id: short }], not_returned: [{ id: long, reason: "budget" }] });
  });

  it("cuts to snippets when asked to, and flags each cut", async () => {
    const agent = anAgent(fixture);
    const long = await agent.store(`${"left ".repeat(100)}pangolin${" right".repeat(100)}`);
    const short = await agent.store("a short pangolin");
    const { memories } = await agent.recall({ query: "pangolin", snippet_mode: true, snippet_window: 60 });
    const byId = new Map(memories.map((item) => [item.id, item]));
    expect(byId.get(long)).toMatchObject({
      content: expect.stringMatching(/^….*pangolin.*…$/),
      content_truncated: true,
    });
    expect(Array.from(byId.get(long)?.content ?? "").length).toBeLessThanOrEqual(62);
    expect(byId.get(short)).toMatchObject({ content: "a short pangolin" });
    expect(byId.get(short)).not.toHaveProperty("content_truncated");
  });

  it("says how many memories have no vector, and of no old activation where there is none", async () => {
    const agent = anAgent(fixture);
    await agent.store("pangolin pending");
    fixture.clock.advance(2 * 60 * MINUTE_MS);
    const { staleness_warning } = await agent.recall({ query: "pangolin", project: agent.caller.project });
    expect(staleness_warning).toEqual({ embedding_missing_count: 1 });
  });
}
