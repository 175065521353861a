import { onPrompt, promptHookInput } from "@chest/core/hooks";
import { listMemories } from "@chest/core/listing";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { aCall, TINY_IDENTITY, tinyEmbedder } from "../../fakes.ts";
import { engineFixture } from "../engine-fixture.ts";

const LASTS_S = 60;

/** From the second at which its own expiry passes a memory is shown by its id alone, before any run of maintenance. */
export function recallExpiredContract(open: OpenEngine): void {
  const embedder = tinyEmbedder();
  const fixture = engineFixture(open, { embedder });
  const nowS = () => fixture.clock.now().getTime() / 1000;
  const expire = () => fixture.clock.advance(LASTS_S * 1000);

  /** Stores a memory that lasts a minute, and one about the same thing that lasts on. */
  async function two(agent: Agent, over: object = {}) {
    const lasting = await agent.store("The ptarmigan gateway listens on port 8443.");
    const brief = await agent.store("The ptarmigan gateway is frozen for the audit.", {
      expires_at: nowS() + LASTS_S,
      tags: ["audit"],
      ...over,
    });
    return { lasting, brief };
  }
  const viewed = async (agent: Agent, view: string) => (await agent.inspect({ view })).items;

  it("is found by words until the second before", async () => {
    const agent = anAgent(fixture);
    const { lasting, brief } = await two(agent);
    fixture.clock.advance((LASTS_S - 1) * 1000);
    expect(await agent.find("ptarmigan gateway")).toHaveLength(2);
    fixture.clock.advance(1000);
    expect(await agent.find("ptarmigan gateway")).toEqual([lasting]);
    expect(await agent.find("ptarmigan gateway", { journal: true })).toEqual([lasting]);
    expect(await agent.find("ptarmigan gateway", { include_superseded: true })).toEqual([lasting]);
    expect(await agent.find("ptarmigan gateway", { include_archived: true })).toContain(brief);
  });

  it.each([{}, { journal: true }])("is not found by its vector with %o", async (over) => {
    const agent = anAgent(fixture);
    const { lasting, brief } = await two(agent);
    await fixture.as({ caller: agent.caller }).write(async (tx) => {
      for (const memory of await tx.memories.byIds([lasting, brief]))
        await tx.vectors.put(memory, TINY_IDENTITY, Float32Array.of(1, memory.id === brief ? 0 : 0.6, 0, 0));
    });
    embedder.vector = Float32Array.of(1, 0, 0, 0);
    expect([...(await agent.find("grouse", over))].sort()).toEqual([lasting, brief].sort());
    expire();
    expect(await agent.find("grouse", over)).toEqual([lasting]);
  });

  it("is in no list and no count", async () => {
    const agent = anAgent(fixture);
    const { lasting } = await two(agent);
    const counted = async () => {
      const store = fixture.as({ caller: agent.caller });
      const [stats] = await viewed(agent, "stats");
      const overview = await store.memories.overview("here");
      const entities = await agent.list({});
      return {
        recalled: (await agent.recall({ min_importance: 0.1 })).total_candidates,
        ofEntity: (await agent.recall({ entity_name: agent.entity })).memories.length,
        listed: (await agent.answer(listMemories, { query: {} })).total,
        tags: await viewed(agent, "tags"),
        stats: (stats as unknown as { memories: number }).memories,
        layers: overview.layers.reduce((sum, { memories }) => sum + memories, 0),
        entities: entities.entities.map(({ memory_count }) => memory_count),
      };
    };
    expect(await counted()).toMatchObject({ recalled: 2, ofEntity: 2, listed: 2, stats: 2, layers: 2, entities: [2] });
    expire();
    expect(await counted()).toEqual({
      ...{ recalled: 1, ofEntity: 1, listed: 1, stats: 1, layers: 1, entities: [1] },
      tags: [],
    });
    expect((await agent.recall({ min_importance: 0.1 })).memories.map(({ id }) => id)).toEqual([lasting]);
  });

  it("is not shown unasked", async () => {
    const agent = anAgent(fixture);
    const { lasting } = await two(agent, {
      trigger: { any: ["ptarmigan"] },
      importance: 0.8,
    });
    const prompted = async () => {
      const ports = {
        ...fixture.ports,
        store: fixture.as({ caller: agent.caller }),
        signal: new AbortController().signal,
      };
      const event = promptHookInput.parse({ prompt: "why is the ptarmigan gateway frozen for the audit?" });
      return onPrompt(event, ports as never, aCall({ caller: agent.caller }).caller);
    };
    expect(JSON.stringify(await prompted())).toContain("audit");
    const context = await agent.call("chest_context", { task: "the ptarmigan gateway" });
    expect(JSON.stringify(context)).toContain("audit");
    expire();
    expect(JSON.stringify(await agent.call("chest_context", { task: "the ptarmigan gateway" }))).not.toContain("audit");
    const shown = await prompted();
    expect("shown" in shown ? shown.shown : []).not.toContain(lasting + 1);
    expect(await viewed(agent, "triggers")).toEqual([]);
  });

  it("is not told of a file", async () => {
    const agent = anAgent(fixture);
    await two(agent, { files: ["src/gateway.ts"] });
    const told = async () => JSON.stringify(await agent.call("chest_recall_file", { path: "src/gateway.ts" }));
    expect(await told()).toContain("audit");
    expire();
    expect(await told()).not.toContain("audit");
  });

  it("is named with its reason where it is asked for by id, and given with what is archived", async () => {
    const agent = anAgent(fixture);
    const { brief } = await two(agent);
    expire();
    expect(await agent.recall({ ids: [brief] })).toMatchObject({
      memories: [],
      not_returned: [{ id: brief, reason: "expired" }],
    });
    expect((await agent.recall({ ids: [brief], include_archived: true })).memories).toMatchObject([{ id: brief }]);
  });

  it("stays where it is protected", async () => {
    const agent = anAgent(fixture);
    const { brief, lasting } = await two(agent, { importance: 0.95 });
    expire();
    expect([...(await agent.find("ptarmigan gateway"))].sort()).toEqual([lasting, brief].sort());
    expect((await agent.recall({ ids: [brief] })).memories).toHaveLength(1);
  });

  it("does not swallow the same words when they are saved again", async () => {
    const agent = anAgent(fixture);
    const { brief } = await two(agent);
    expire();
    const again = await agent.remember({ content: "The ptarmigan gateway is frozen for the audit." });
    expect(again.action).toBe("created");
    expect(again.memory_id).not.toBe(brief);
    const alike = await agent.remember({ content: "The ptarmigan gateway is frozen for the audit!" });
    expect(alike.memory_id).toBe(again.memory_id);
  });

  it("lasts on when its name is saved again", async () => {
    const agent = anAgent(fixture);
    await two(agent, { name: "freeze" });
    expire();
    const again = await agent.remember({ content: "The ptarmigan gateway is frozen once more.", name: "freeze" });
    expect(again.action).toBe("updated");
    expect(await agent.find("frozen once more")).toEqual([again.memory_id]);
  });
}
