import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

/** The same words again. */
export function duplicatesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("the same words again answer with the row that is there, which takes over tags and the higher importance", async () => {
    const agent = anAgent(fixture);
    const first = await agent.remember({ content: "ports are odd", tags: ["net"], importance: 0.4 });
    const again = await agent.remember({ content: "ports are odd", tags: ["ports"], importance: 0.95 });
    expect(again).toMatchObject({ memory_id: first.memory_id, action: "merged", pinned: true });
    const third = await agent.remember({ content: "ports are odd", importance: 0.1 });
    expect(third).toMatchObject({ memory_id: first.memory_id, action: "duplicate", pinned: true });
    const { memories } = await agent.recall({ query: "ports odd" });
    expect(memories).toMatchObject([{ id: first.memory_id, importance: 0.95, tags: ["net", "ports"] }]);
  });

  it("a duplicate counts as no event of its entity", async () => {
    const agent = anAgent(fixture);
    const first = await agent.remember({ content: "said twice" });
    const again = await agent.remember({ content: "said twice" });
    expect(again.momentum).toEqual(first.momentum);
  });

  it("`force` makes a second row", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("once more");
    const second = await agent.remember({ content: "once more", force: true });
    expect(second).toMatchObject({ action: "created" });
    expect(second.memory_id).not.toBe(first);
    expect((await agent.recall({ query: "once more" })).memories).toMatchObject([
      { id: first, near_duplicates: [second.memory_id] },
    ]);
  });

  it.each([
    ["another layer", { layer: "context" }],
    ["another visibility", { visibility: "private" }],
    ["another entity", { entity_name: "elsewhere" }],
    ["another project", { project: "host/org/other-place" }],
  ])("the same words in %s are another memory", async (_, over) => {
    const agent = anAgent(fixture);
    const first = await agent.store("everything alike but one");
    expect(await agent.remember({ content: "everything alike but one", ...over })).toMatchObject({ action: "created" });
    expect(await agent.find("everything alike", { entity_name: agent.entity, layer: "learning" })).toContain(first);
  });

  it("the same words of an archived memory are a new one", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("gone and back");
    await agent.forget({ memory_id: first });
    expect(await agent.remember({ content: "gone and back" })).toMatchObject({ action: "created" });
  });

  it("words that differ only in a secret are the same after redaction", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("export DB_PASSWORD=hunter2hunter2 before the start");
    const again = await agent.remember({ content: "export DB_PASSWORD=correcthorse9 before the start" });
    expect(again).toMatchObject({ memory_id: first, action: "duplicate" });
  });

  it("an expiry that a duplicate does not take over is a warning, and nothing is said of a past one", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("keeps its own end");
    const before = (await agent.recall({ ids: [first] })).memories[0]?.expires_at;
    const again = await agent.remember({ content: "keeps its own end", expires_at: 1 });
    expect(again.warnings).toMatchObject([{ reason: "expiry_kept" }]);
    expect((await agent.recall({ ids: [first] })).memories[0]?.expires_at).toBe(before);
  });

  it("a memory that is its own successor is left alone", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("points at itself");
    const again = await agent.remember({ content: "points at itself", supersedes: [first] });
    expect(again).toMatchObject({ memory_id: first, action: "duplicate" });
    expect(again).not.toHaveProperty("superseded");
    expect(again).not.toHaveProperty("skipped");
    expect(await agent.find("points itself")).toEqual([first]);
  });
}
