import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

/** Requirements on the list of entities. */
export function listEntitiesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("counts what is visible, and the six layers sum to the count", async () => {
    const agent = anAgent(fixture);
    const layers = ["goal", "realize", "learning", "learning", "implementation", "context", "emotion"];
    for (const layer of layers) await agent.remember({ layer, entity_key: `${agent.entity}.example` });
    await agent.remember({ importance: 0.95 });
    await agent.forget({ memory_id: await agent.store("gone") });
    const old = await agent.store("replaced");
    await agent.remember({ supersedes: [old] });
    await anAgent(fixture).remember({ entity_name: agent.entity, visibility: "private" });
    const { entities, ...rest } = await agent.list();
    expect(rest).toEqual({ ok: true, total: 1, returned: 1, offset: 0, has_more: false });
    expect(entities).toEqual([
      {
        id: expect.any(Number),
        name: agent.entity,
        kind: "project",
        canonical_key: `${agent.entity}.example`,
        momentum: expect.any(Number),
        memory_count: 9,
        last_memory_access: null,
        pinned_count: 1,
        layer_breakdown: { goal: 1, realize: 1, learning: 4, implementation: 1, context: 1, emotion: 1 },
      },
    ]);
  });

  it("obeys every `min_memories`: 1 hides what is empty, 0 shows it", async () => {
    const agent = anAgent(fixture);
    for (const [name, count] of [
      ["one", 1],
      ["three", 3],
      ["empty", 1],
    ] as const) {
      for (let i = 0; i < count; i++) await agent.remember({ entity_name: `${agent.entity} ${name}` });
    }
    const [empty] = (await agent.recall({ entity_name: `${agent.entity} empty` })).memories;
    await agent.forget({ memory_id: empty?.id });
    const totals = [];
    for (const min_memories of [0, 1, 2, 3, 4]) totals.push((await agent.list({ min_memories })).total);
    expect(totals).toEqual([3, 2, 1, 1, 0]);
    expect((await agent.list()).total).toBe(2);
  });

  it("is one entity in several spaces to a caller that opens them, with the key that such a caller may see", async () => {
    const alice = anAgent(fixture);
    const bob = anAgent(fixture, { project: alice.caller.project });
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
    const agent = anAgent(fixture);
    for (let i = 0; i < 7; i++)
      await agent.remember({ entity_name: `${agent.entity} ${i}`, entity_kind: i < 5 ? "file" : "other" });
    const pages = [];
    for (const offset of [0, 2, 4]) pages.push(await agent.list({ kind: "file", limit: 2, offset }));
    expect(pages.map(({ total, returned, has_more }) => [total, returned, has_more])).toEqual([
      [5, 2, true],
      [5, 2, true],
      [5, 1, false],
    ]);
    expect(new Set(pages.flatMap(({ entities }) => entities.map(({ id }) => id))).size).toBe(5);
    expect(await agent.list({ offset: 100 })).toMatchObject({ total: 7, returned: 0, has_more: false, entities: [] });
  });

  it("puts first what is active, much remembered and lately asked for, then the smaller id", async () => {
    const agent = anAgent(fixture);
    const quiet = await agent.remember({ entity_name: `${agent.entity} quiet`, importance: 0.5 });
    const twin = await agent.remember({ entity_name: `${agent.entity} twin`, importance: 0.5 });
    const asked = await agent.remember({ entity_name: `${agent.entity} asked`, importance: 0.5 });
    const busy = `${agent.entity} busy`;
    for (let i = 0; i < 5; i++) await agent.remember({ entity_name: busy, importance: 0.8 });
    await agent.recall({ ids: [asked.memory_id] });
    const order = async () => (await agent.list()).entities.map(({ name }) => name.replace(`${agent.entity} `, ""));
    await expect.poll(order, { timeout: 5000 }).toEqual(["busy", "asked", "quiet", "twin"]);
    expect(quiet.entity_id).toBeLessThan(twin.entity_id);
    const [, recent] = (await agent.list()).entities;
    expect(recent?.last_memory_access).toBe(fixture.clock.now().toISOString());
  });
}
