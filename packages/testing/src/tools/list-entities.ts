import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk } from "../desk.ts";
import { aHouse } from "./house.ts";

/** Requirements on the list of entities. */
export function listEntitiesContract(open: OpenEngine): void {
  const house = aHouse(open);

  it("counts what is visible, and the six layers sum to the count", async () => {
    const desk = aDesk(house);
    const layers = ["goal", "realize", "learning", "learning", "implementation", "context", "emotion"];
    for (const layer of layers) await desk.remember({ layer, entity_key: `${desk.entity}.example` });
    await desk.remember({ importance: 0.95 });
    await desk.forget({ memory_id: await desk.store("gone") });
    const old = await desk.store("replaced");
    await desk.remember({ supersedes: [old] });
    await aDesk(house).remember({ entity_name: desk.entity, visibility: "private" });
    const { entities, ...rest } = await desk.list();
    expect(rest).toEqual({ ok: true, total: 1, returned: 1, offset: 0, has_more: false });
    expect(entities).toEqual([
      {
        id: expect.any(Number),
        name: desk.entity,
        kind: "project",
        canonical_key: `${desk.entity}.example`,
        momentum: expect.any(Number),
        memory_count: 9,
        last_memory_access: null,
        pinned_count: 1,
        layer_breakdown: { goal: 1, realize: 1, learning: 4, implementation: 1, context: 1, emotion: 1 },
      },
    ]);
  });

  it("obeys every `min_memories`: 1 hides what is empty, 0 shows it", async () => {
    const desk = aDesk(house);
    for (const [name, count] of [
      ["one", 1],
      ["three", 3],
      ["empty", 1],
    ] as const) {
      for (let i = 0; i < count; i++) await desk.remember({ entity_name: `${desk.entity} ${name}` });
    }
    const [empty] = (await desk.recall({ entity_name: `${desk.entity} empty` })).memories;
    await desk.forget({ memory_id: empty?.id });
    const totals = [];
    for (const min_memories of [0, 1, 2, 3, 4]) totals.push((await desk.list({ min_memories })).total);
    expect(totals).toEqual([3, 2, 1, 1, 0]);
    expect((await desk.list()).total).toBe(2);
  });

  it("is one entity in several spaces to a caller that opens them, with the key that such a caller may see", async () => {
    const alice = aDesk(house);
    const bob = aDesk(house, { project: alice.caller.project });
    const about = { entity_name: `${alice.entity} shared`, entity_kind: "other" };
    await alice.remember({ ...about, entity_key: "alice.example", visibility: "private", layer: "goal" });
    await bob.remember(about);
    const [seen] = (await alice.list()).entities;
    expect(seen).toMatchObject({ canonical_key: "alice.example", memory_count: 2 });
    expect(seen?.layer_breakdown).toMatchObject({ goal: 1, learning: 1 });
    const { total, entities } = await bob.list();
    expect([total, entities[0]?.memory_count, entities[0]?.canonical_key]).toEqual([1, 1, null]);
  });

  it("pages over all that the filter lists, each once", async () => {
    const desk = aDesk(house);
    for (let i = 0; i < 7; i++)
      await desk.remember({ entity_name: `${desk.entity} ${i}`, entity_kind: i < 5 ? "file" : "other" });
    const pages = [];
    for (const offset of [0, 2, 4]) pages.push(await desk.list({ kind: "file", limit: 2, offset }));
    expect(pages.map(({ total, returned, has_more }) => [total, returned, has_more])).toEqual([
      [5, 2, true],
      [5, 2, true],
      [5, 1, false],
    ]);
    expect(new Set(pages.flatMap(({ entities }) => entities.map(({ id }) => id))).size).toBe(5);
    expect(await desk.list({ offset: 100 })).toMatchObject({ total: 7, returned: 0, has_more: false, entities: [] });
  });

  it("puts first what is active, much remembered and lately asked for, then the smaller id", async () => {
    const desk = aDesk(house);
    const quiet = await desk.remember({ entity_name: `${desk.entity} quiet`, importance: 0.5 });
    const twin = await desk.remember({ entity_name: `${desk.entity} twin`, importance: 0.5 });
    const asked = await desk.remember({ entity_name: `${desk.entity} asked`, importance: 0.5 });
    const busy = `${desk.entity} busy`;
    for (let i = 0; i < 5; i++) await desk.remember({ entity_name: busy, importance: 0.8 });
    await desk.recall({ ids: [asked.memory_id] });
    const order = async () => (await desk.list()).entities.map(({ name }) => name.replace(`${desk.entity} `, ""));
    await expect.poll(order, { timeout: 5000 }).toEqual(["busy", "asked", "quiet", "twin"]);
    expect(quiet.entity_id).toBeLessThan(twin.entity_id);
    const [, recent] = (await desk.list()).entities;
    expect(recent?.last_memory_access).toBe(house.clock.now().toISOString());
  });
}
