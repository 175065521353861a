import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import type { Recalled } from "../../tool-answers.ts";
import { engineFixture } from "../engine-fixture.ts";

/** Requirements on showing repeated statements once. */
export function recallOnceContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const SAME = "the quokka colony is counted every spring";

  /** Two that say the same, the newer one first. */
  async function twins(agent: Agent, over = {}) {
    const older = await agent.store(SAME, over);
    fixture.clock.advance(60_000);
    const newer = await agent.store(`${SAME[0]?.toUpperCase()}${SAME.slice(1)}.`, { ...over, force: true });
    return { older, newer };
  }

  it("shows one of what says the same, and names the others with it", async () => {
    const agent = anAgent(fixture);
    const { older, newer } = await twins(agent);
    const other = await agent.store("a quokka colony was seen on the island");
    const answer = await agent.recall({ query: "quokka colony" });
    expect(answer.memories.find(({ id }) => id === newer)).toMatchObject({ near_duplicates: [older] });
    expect(answer.memories.map(({ id }) => id).toSorted()).toEqual([newer, other].toSorted());
    expect(answer).toMatchObject({ count: 2, total_candidates: 3, has_more: false, stopped_by: "end" });
    const opened = await agent.recall({ ids: [newer, older] });
    expect(opened.memories.map(({ id }) => id)).toEqual([newer, older]);
    for (const item of opened.memories) expect(item).not.toHaveProperty("near_duplicates");
  });

  it.each(["list", "index", "raw"])("names them in the format %s, and in a list of an entity", async (format) => {
    const agent = anAgent(fixture);
    const { older, newer } = await twins(agent);
    for (const asked of [{ query: "quokka" }, { entity_name: agent.entity }])
      expect((await agent.recall({ ...asked, format })).memories).toMatchObject([
        { id: newer, near_duplicates: [older] },
      ]);
  });

  it("shows both where they differ in a number, deny each other, or are about two things", async () => {
    const agent = anAgent(fixture);
    const ids = [
      await agent.store("the quokka fence is 3 m high"),
      await agent.store("the quokka fence is 4 m high"),
      await agent.store("the quokka fence is not 4 m high"),
      await agent.store("the quokka fence is 3 m high", { entity_name: `${agent.entity}-west` }),
    ];
    expect((await agent.find("quokka fence")).toSorted()).toEqual(ids.toSorted());
  });

  it("keeps a memory out of sight from standing for one that is not", async () => {
    const agent = anAgent(fixture);
    const { older, newer } = await twins(agent);
    await agent.forget({ memory_id: newer });
    expect(await agent.find("quokka colony")).toEqual([older]);
    expect((await agent.find("quokka colony", { include_archived: true })).toSorted()).toEqual(
      [older, newer].toSorted(),
    );
  });

  it("counts what it names into no page, and names it once over all of them", async () => {
    const agent = anAgent(fixture);
    const shown = [];
    const twin = [];
    for (let at = 0; at < 12; at++) {
      shown.push(await agent.store(`quokka burrow ${at} lies by the creek`));
      twin.push(await agent.store(`Quokka burrow ${at} lies by the creek!`, { force: true }));
    }
    const named: number[] = [];
    const pages: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const page: Recalled = await agent.recall({ query: "quokka burrow", limit: 5, offset: pages.length });
      pages.push(...page.memories.map(({ id }) => id));
      named.push(...page.memories.flatMap(({ near_duplicates }) => near_duplicates as number[]));
      hasMore = page.has_more;
    }
    expect(pages).toHaveLength(12);
    expect([...pages, ...named].toSorted()).toEqual([...shown, ...twin].toSorted());
  });

  it("names with a memory that is too long for the page what says the same", async () => {
    const agent = anAgent(fixture);
    const long = `quokka quokka quokka ${"grass and shade ".repeat(300)}`;
    const ids = [await agent.store(`${long}end`), await agent.store(`${long}end.`, { force: true })];
    const short = await agent.store("one quokka among many other words of little weight");
    const { memories, not_returned } = await agent.recall({ query: "quokka", max_tokens: 600 });
    expect(memories).toMatchObject([{ id: short }]);
    const [passed] = not_returned ?? [];
    expect(passed).toMatchObject({ reason: "budget", near_duplicates: [expect.any(Number)] });
    expect([passed?.id, ...((passed as { near_duplicates?: number[] }).near_duplicates ?? [])].toSorted()).toEqual(ids);
  });
}
