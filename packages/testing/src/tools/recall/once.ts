import { expect, it } from "vitest";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { aDesk, type Desk } from "../../desk.ts";
import type { Recalled } from "../../tool-answers.ts";
import { aHouse } from "../house.ts";

/** Requirements on showing repeated statements once. */
export function recallOnceContract(open: OpenEngine): void {
  const house = aHouse(open);
  const SAME = "the quokka colony is counted every spring";

  /** Two that say the same, the newer one first. */
  async function twins(desk: Desk, over = {}) {
    const older = await desk.store(SAME, over);
    house.clock.advance(60_000);
    const newer = await desk.store(`${SAME[0]?.toUpperCase()}${SAME.slice(1)}.`, { ...over, force: true });
    return { older, newer };
  }

  it("shows one of what says the same, and names the others with it", async () => {
    const desk = aDesk(house);
    const { older, newer } = await twins(desk);
    const other = await desk.store("a quokka colony was seen on the island");
    const answer = await desk.recall({ query: "quokka colony" });
    expect(answer.memories.find(({ id }) => id === newer)).toMatchObject({ near_duplicates: [older] });
    expect(answer.memories.map(({ id }) => id).toSorted()).toEqual([newer, other].toSorted());
    expect(answer).toMatchObject({ count: 2, total_candidates: 3, has_more: false, stopped_by: "end" });
    const opened = await desk.recall({ ids: [newer, older] });
    expect(opened.memories.map(({ id }) => id)).toEqual([newer, older]);
    for (const item of opened.memories) expect(item).not.toHaveProperty("near_duplicates");
  });

  it.each(["list", "index", "raw"])("names them in the format %s, and in a list of an entity", async (format) => {
    const desk = aDesk(house);
    const { older, newer } = await twins(desk);
    for (const asked of [{ query: "quokka" }, { entity_name: desk.entity }])
      expect((await desk.recall({ ...asked, format })).memories).toMatchObject([
        { id: newer, near_duplicates: [older] },
      ]);
  });

  it("shows both where they differ in a number, deny each other, or are about two things", async () => {
    const desk = aDesk(house);
    const ids = [
      await desk.store("the quokka fence is 3 m high"),
      await desk.store("the quokka fence is 4 m high"),
      await desk.store("the quokka fence is not 4 m high"),
      await desk.store("the quokka fence is 3 m high", { entity_name: `${desk.entity}-west` }),
    ];
    expect((await desk.find("quokka fence")).toSorted()).toEqual(ids.toSorted());
  });

  it("keeps a memory out of sight from standing for one that is not", async () => {
    const desk = aDesk(house);
    const { older, newer } = await twins(desk);
    await desk.forget({ memory_id: newer });
    expect(await desk.find("quokka colony")).toEqual([older]);
    expect((await desk.find("quokka colony", { include_archived: true })).toSorted()).toEqual(
      [older, newer].toSorted(),
    );
  });

  it("counts what it names into no page, and names it once over all of them", async () => {
    const desk = aDesk(house);
    const shown = [];
    const twin = [];
    for (let at = 0; at < 12; at++) {
      shown.push(await desk.store(`quokka burrow ${at} lies by the creek`));
      twin.push(await desk.store(`Quokka burrow ${at} lies by the creek!`, { force: true }));
    }
    const named: number[] = [];
    const pages: number[] = [];
    for (let hasMore = true; hasMore; ) {
      const page: Recalled = await desk.recall({ query: "quokka burrow", limit: 5, offset: pages.length });
      pages.push(...page.memories.map(({ id }) => id));
      named.push(...page.memories.flatMap(({ near_duplicates }) => near_duplicates as number[]));
      hasMore = page.has_more;
    }
    expect(pages).toHaveLength(12);
    expect([...pages, ...named].toSorted()).toEqual([...shown, ...twin].toSorted());
  });

  it("names with a memory that is too long for the page what says the same", async () => {
    const desk = aDesk(house);
    const long = `quokka quokka quokka ${"grass and shade ".repeat(300)}`;
    const ids = [await desk.store(`${long}end`), await desk.store(`${long}end.`, { force: true })];
    const short = await desk.store("one quokka among many other words of little weight");
    const { memories, not_returned } = await desk.recall({ query: "quokka", max_tokens: 600 });
    expect(memories).toMatchObject([{ id: short }]);
    const [passed] = not_returned ?? [];
    expect(passed).toMatchObject({ reason: "budget", near_duplicates: [expect.any(Number)] });
    expect([passed?.id, ...((passed as { near_duplicates?: number[] }).near_duplicates ?? [])].toSorted()).toEqual(ids);
  });
}
