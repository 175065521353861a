import { expect, it } from "vitest";
import { anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import type { Recalled } from "../../tool-answers.ts";
import { engineFixture } from "../engine-fixture.ts";

/** Orders that a caller may choose, and pages of them while others write. */
export function recallOrdersContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("sorts what it finds by time or by importance, pages included", async () => {
    const agent = anAgent(fixture);
    const ids: number[] = [];
    for (const [at, importance] of [0.5, 0.8, 0.2, 0.6].entries()) {
      ids.push(await agent.store(`numbat ${"numbat ".repeat(at % 2)}trail ${at}`, { importance }));
      fixture.clock.advance(60_000);
    }
    await agent.store("nothing of the kind");
    const byTime = ids.toReversed();
    expect(await agent.find("numbat trail", { sort: "recent" })).toEqual(byTime);
    expect(await agent.find("numbat trail", { sort: "recent", limit: 2, offset: 2 })).toEqual(byTime.slice(2));
    const byImportance = [ids[1], ids[3], ids[0], ids[2]];
    expect(await agent.find("numbat trail", { sort: "importance" })).toEqual(byImportance);
    const [first, second] = [await agent.store("numbat den, east"), await agent.store("numbat den, west")];
    expect(await agent.find("numbat den", { sort: "recent", limit: 2 })).toEqual([second, first]);
    const listed = await agent.recall({ entity_name: agent.entity, sort: "importance" });
    expect(listed.memories.filter(({ id }) => ids.includes(id)).map(({ id }) => id)).toEqual(byImportance);
    expect(await agent.find("numbat trail", { sort: "relevance" })).toEqual(await agent.find("numbat trail"));
    await expect(agent.recall({ query: "numbat", sort: "newest" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("pages neither repeat nor skip while others write, change and archive", async () => {
    const agent = anAgent(fixture);
    const colleague = anAgent(fixture, {
      member: { id: 1, name: "colleague" },
      project: agent.caller.project as string,
    });
    const ids: number[] = [];
    for (let at = 0; at < 30; at++) ids.push(await agent.store(`bandicoot nest ${at} ${"of grass ".repeat(at % 5)}`));
    const pages: number[] = [];
    const written: number[] = [];
    const gone = new Set<number>();
    for (let hasMore = true; hasMore; ) {
      const page: Recalled = await agent.recall({ query: "bandicoot nest", limit: 6, offset: pages.length });
      pages.push(...page.memories.map(({ id }) => id));
      hasMore = page.has_more;
      // More to the point than what was there, so that it comes first.
      written.push(await colleague.store(`bandicoot nest ${1000 + pages.length}`));
      const [first = 0] = page.memories.map(({ id }) => id);
      gone.add(first);
      await colleague.forget({ memory_id: first });
    }
    expect(new Set(pages).size).toBe(pages.length);
    expect(ids.filter((id) => !pages.includes(id))).toEqual([]);
    expect(pages.filter((id) => !ids.includes(id) && !written.includes(id))).toEqual([]);
  });

  it("where not all fits, says something new before more of the same, and begins with the best", async () => {
    const agent = anAgent(fixture);
    for (let at = 10; at < 22; at++)
      await agent.store(`possum alarm on the roof of house ${at}, called in by neighbours during night hours`);
    const others = [
      await agent.store("collars of tin around every trunk nearby keep climbing possum away: roof quiet, alarm silent"),
      await agent.store(
        "possum fell over broken gutter: vets treated fractures, roof mended, alarm wires replaced soon",
      ),
    ];
    for (let at = 30; at < 33; at++) await agent.store(`tree ${at}: a possum sleeps there all through the winter days`);
    const asked = { query: "possum roof alarm", mark_accessed: false };
    const whole = await agent.recall({ ...asked, max_tokens: 6000 });
    expect(whole).toMatchObject({ count: 17, stopped_by: "end" });
    const order = whole.memories.map(({ id }) => id);
    expect(others.map((id) => order.indexOf(id)).every((place) => place > 3)).toBe(true);
    const packed = await agent.recall({ ...asked, max_tokens: 1000 });
    expect(packed.count).toBeLessThan(6);
    expect(packed.memories[0]?.id).toBe(order[0]);
    expect(packed.memories.map(({ id }) => id)).toEqual(expect.arrayContaining(others));
    const rest: number[] = packed.memories.map(({ id }) => id);
    for (let hasMore = packed.has_more; hasMore; ) {
      const page: Recalled = await agent.recall({ ...asked, max_tokens: 1000, offset: rest.length });
      rest.push(...page.memories.map(({ id }) => id));
      hasMore = page.has_more;
    }
    expect(rest.toSorted()).toEqual(order.toSorted());
    const byTime = (await agent.recall({ ...asked, max_tokens: 1000, sort: "recent" })).memories.map(({ id }) => id);
    expect(byTime).toEqual(byTime.toSorted((a, b) => b - a));
  });
}
