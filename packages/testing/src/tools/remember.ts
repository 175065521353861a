import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { engineFixture } from "./engine-fixture.ts";

const DAY_S = 86_400;

/** Requirements on remembering, over every storage engine. */
export function rememberContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const nowS = () => fixture.clock.now().getTime() / 1000;

  it("answers with the row it made, and leaves out what there is nothing to say of", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({ content: "retries double the delay" });
    expect(answer).toEqual({
      ok: true,
      memory_id: expect.any(Number),
      entity_id: expect.any(Number),
      layer: "learning",
      pinned: false,
      momentum: { score: 4.27, band: "active" },
      action: "created",
      embedding: { status: "pending" },
    });
    const [item] = (await agent.recall({ ids: [answer.memory_id] })).memories;
    expect(item).toMatchObject({
      content: "retries double the delay",
      entity: { id: answer.entity_id, name: agent.entity },
    });
  });

  it("gives each of 100 parallel calls the id of its own row", async () => {
    const agent = anAgent(fixture);
    const texts = Array.from({ length: 100 }, (_, i) => `parallel fact ${i}`);
    const ids = await Promise.all(texts.map((content) => agent.store(content)));
    const { memories } = await agent.recall({ ids });
    expect(memories.map(({ id, content }) => [id, content])).toEqual(ids.map((id, i) => [id, texts[i]]));
    expect(new Set(memories.map(({ entity }) => entity.id)).size).toBe(1);
  });

  it("takes exactly the longest content; one character more leaves no row, no entity and no momentum", async () => {
    const agent = anAgent(fixture);
    const longest = "ab ".repeat(2667).slice(0, fixture.ports.limits.contentChars);
    const id = await agent.store(longest);
    expect((await agent.recall({ ids: [id], mark_accessed: false })).memories[0]?.content).toBe(longest);
    const before = await agent.list();
    const refusal = await agent.refused("chest_remember", {
      entity_name: `${agent.entity} other`,
      entity_kind: "project",
      layer: "learning",
      content: `${longest}x`,
    });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { limit: 8000, actual: 8001 } });
    expect(refusal.message).toMatch(/content.*8001.*8000/);
    expect(await agent.list({ min_memories: 0 })).toEqual(before);
  });

  it("is found at once by its words, also by another client of the same project", async () => {
    const agent = anAgent(fixture);
    const colleague = anAgent(fixture, { project: agent.caller.project, client: { name: "other", version: "9" } });
    const id = await agent.store("the flux capacitor wants 1.21 gigawatts");
    expect(await agent.find("flux capacitor")).toEqual([id]);
    expect(await colleague.find("gigawatts")).toEqual([id]);
  });

  it.each([
    ["learning", 365],
    ["implementation", 90],
    ["context", 30],
    ["emotion", 14],
    ["goal", undefined],
    ["realize", undefined],
  ] as const)("gives a %s memory its layer's lifetime: %s days", async (layer, days) => {
    const agent = anAgent(fixture);
    const id = await agent.store("lasts as long as its layer", { layer });
    const [item] = (await agent.recall({ ids: [id] })).memories;
    expect(item?.expires_at).toBe(days === undefined ? undefined : nowS() + days * DAY_S);
  });

  it("takes the caller's expiry before the layer's, and warns of one that is past", async () => {
    const agent = anAgent(fixture);
    const soon = await agent.remember({ expires_at: nowS() + 60 });
    const past = await agent.remember({ expires_at: 1 });
    expect((await agent.recall({ ids: [soon.memory_id] })).memories[0]?.expires_at).toBe(nowS() + 60);
    expect(soon.warnings).toBeUndefined();
    expect(past.warnings).toMatchObject([{ reason: "already_expired" }]);
  });

  it("takes an expiry beyond every date for the last one, and says so", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({ expires_at: Number.MAX_SAFE_INTEGER });
    expect(answer.warnings).toMatchObject([{ reason: "expiry_cut" }]);
    expect((await agent.recall({ ids: [answer.memory_id] })).memories[0]?.expires_at).toBe(253_402_300_799);
  });

  it.each([
    [0.89, false],
    [0.9, true],
    [1, true],
  ])("with importance %s is pinned: %s", async (importance, pinned) => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({ importance });
    expect(answer.pinned).toBe(pinned);
    expect((await agent.recall({ ids: [answer.memory_id] })).memories[0]).toMatchObject({ importance, pinned });
  });
}
