import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "./engine-fixture.ts";

const FACT = { entity_name: "closing", entity_kind: "concept", layer: "learning" } as const;

/** Writes under an idempotency key. */
export function repeatsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const keyed = (idempotencyKey: string, onReplay?: () => void) => ({ idempotencyKey, onReplay });
  const count = async (agent: Agent) => (await agent.list()).entities[0]?.memory_count ?? 0;

  it("a repeat gets the first answer and writes nothing, even with `force`, even two at once", async () => {
    const agent = anAgent(fixture);
    let replays = 0;
    const once = () =>
      agent.remember(
        { content: "said once", force: true },
        keyed("k-1", () => (replays += 1)),
      );
    const answers = [...(await Promise.all([once(), once()])), await once()];
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect([replays, await count(agent)]).toEqual([2, 1]);
  });

  it("defaults spelled out are the same request; another tool or input is refused", async () => {
    const agent = anAgent(fixture);
    const first = await agent.remember({ content: "under a key" }, keyed("k-2"));
    const again = await agent.remember({ importance: 0.5, force: false, content: "under a key" }, keyed("k-2"));
    expect(again).toEqual(first);
    const other = { entity_name: agent.entity, entity_kind: "project", layer: "learning", content: "other words" };
    expect(await agent.refused("chest_remember", other, keyed("k-2"))).toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    const forget = await agent.refused("chest_forget", { memory_id: first.memory_id }, keyed("k-2"));
    expect(forget).toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    expect(await anAgent(fixture).remember({}, keyed("k-2"))).toMatchObject({ action: "created" });
  });

  it("the same words in another project are another request", async () => {
    const agent = anAgent(fixture);
    const fact = { entity_name: agent.entity, entity_kind: "project", layer: "learning", content: "in one project" };
    const first = await agent.remember(fact, keyed("k-6"));
    for (const project of ["host/org/elsewhere", undefined]) {
      const caller = { ...agent.caller, project };
      const refusal = await agent.refused("chest_remember", fact, { ...keyed("k-6"), caller });
      expect(refusal).toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    }
    expect(await agent.remember(fact, keyed("k-6"))).toEqual(first);
  });

  it("gets the first answer only while all that it is about is open to whoever repeats it", async () => {
    const project = "host/org/closing";
    const agent = anAgent(fixture, { project });
    const pear = anAgent(fixture, { project: "host/org/pear" });
    const elsewhere = (await pear.call("chest_remember", { ...FACT, content: "there is a pear" })) as {
      memory_id: number;
    };
    const kept = await fixture.as({ caller: pear.caller }).memories.byId(elsewhere.memory_id);
    const narrow = { id: 1, projectIds: [kept?.projectId ?? 0], expiresAt: undefined };
    const id = await agent.store("closing soon");
    const atLarge = { ...agent.caller, project: undefined };
    const team = { ...FACT, content: "for the team", visibility: "team" };
    const calls = {
      "a write": ["chest_remember", { ...FACT, content: "closing" }, agent.caller],
      "one that names the project": ["chest_remember", { ...FACT, content: "closing too", project }, atLarge],
      "a change by id": ["chest_update_memory", { memory_id: id, content: "closing now" }, atLarge],
      "one that changed nothing": ["chest_update_memory", { memory_id: id, importance: 0.5 }, atLarge],
      "one more out of sight": ["chest_forget", { memory_id: id }, atLarge],
      "a sweep here": ["chest_consolidate", {}, agent.caller],
      "a sweep of all that is open": ["chest_forget", {}, atLarge],
    } as const;
    const repeat = async (what: keyof typeof calls, over: object = {}) => {
      const [tool, input, caller] = calls[what];
      return agent.call(tool, input, { ...keyed(`closing, ${what}`), caller: { ...caller, ...over } });
    };
    const names = Object.keys(calls) as (keyof typeof calls)[];
    const answers = new Map<string, unknown>();
    for (const what of names) answers.set(what, await repeat(what));
    const forTeam = await agent.call("chest_remember", team, { ...keyed("for the team"), caller: atLarge });

    for (const what of names) {
      await expect(repeat(what, { token: narrow }), what).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await repeat(what), what).toEqual(answers.get(what));
    }
    await closeProject(fixture, project);
    let replays = 0;
    for (const what of names) {
      const [tool, input, caller] = calls[what];
      const again = agent.call(tool, input, { ...keyed(`closing, ${what}`, () => (replays += 1)), caller });
      await expect(again, what).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(replays).toBe(0);
    const again = { ...keyed("for the team"), caller: { ...atLarge, token: narrow } };
    expect(await agent.call("chest_remember", team, again)).toEqual(forTeam);
  });

  it("a failure is not kept: the repeat tries again", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a goal", { layer: "goal" });
    expect(await agent.refused("chest_forget", { memory_id: id }, keyed("k-3"))).toMatchObject({ code: "PROTECTED" });
    await agent.update({ memory_id: id, layer: "context" });
    expect(await agent.forget({ memory_id: id }, keyed("k-3"))).toMatchObject({ archived: 1 });
    expect(await agent.forget({ memory_id: id }, keyed("k-3"))).toMatchObject({ archived: 1 });
    expect(await agent.forget({ memory_id: id })).toMatchObject({ archived: 0 });
  });

  it("an update is applied once, whatever came between", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("first");
    const answer = await agent.update({ memory_id: id, content: "second" }, keyed("k-4"));
    await agent.update({ memory_id: id, content: "third" });
    expect(await agent.update({ memory_id: id, content: "second" }, keyed("k-4"))).toEqual(answer);
    expect((await agent.recall({ ids: [id] })).memories[0]?.content).toBe("third");
  });

  it("tools that read ignore the key, and without one every call runs", async () => {
    const agent = anAgent(fixture);
    await agent.remember({ content: "read twice" });
    await agent.call("chest_recall", { query: "read" }, keyed("k-5"));
    await agent.call("chest_list_entities", {}, keyed("k-5"));
    expect(await agent.remember({ content: "written" }, keyed("k-5"))).toMatchObject({ action: "created" });
    await agent.remember({ content: "twice", force: true });
    await agent.remember({ content: "twice", force: true });
    expect(await count(agent)).toBe(4);
  });
}
