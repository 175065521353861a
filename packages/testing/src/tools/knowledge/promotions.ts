import { expect, it } from "vitest";
import { type Agent, anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "../engine-fixture.ts";

/** Memories for the team that wait for an admin. */
export function promotionsContract(open: OpenEngine): void {
  const fixture = engineFixture(open, { hasReview: true });
  const rights = ["read", "write", "operate", "admin"] as const;

  const aTeam = () => {
    const agent = anAgent(fixture);
    const { project } = agent.caller;
    return {
      agent,
      colleague: anAgent(fixture, { project }),
      admin: anAgent(fixture, { project, scopes: new Set(rights) }),
    };
  };
  const waiting = async (agent: Agent, over: object = {}) => {
    const { total, items } = await agent.inspect({ view: "promotions", ...over });
    return [total, items.map(({ id }) => id)];
  };
  const sees = async (agent: Agent, id: number) => (await agent.recall({ ids: [id] })).memories.length === 1;

  it("a save for the team stays its author's own until an admin approves, and lowering it undoes that", async () => {
    const { agent, colleague, admin } = aTeam();
    const saved = await agent.remember({ content: "The team speaks of herons.", visibility: "team", evidence: ["a"] });
    const { memory_id: id } = saved;
    expect(saved.warnings).toMatchObject([{ reason: "waits_for_review" }]);
    const { items } = await admin.inspect({ view: "promotions" });
    expect(items).toMatchObject([
      {
        id,
        visibility: "private",
        requested_visibility: "team",
        content: "The team speaks of herons.",
        evidence: ["a"],
      },
    ]);
    expect([await waiting(agent), await waiting(colleague)]).toEqual([
      [1, [id]],
      [0, []],
    ]);
    expect([await sees(agent, id), await sees(colleague, id), await sees(admin, id)]).toEqual([true, false, false]);

    const approve = { memory_id: id, promotion: "approve", reason: "so it is" };
    expect(await agent.refused("chest_update_memory", approve)).toMatchObject({ code: "FORBIDDEN" });
    expect(await colleague.refused("chest_update_memory", approve)).toMatchObject({ code: "NOT_FOUND" });
    const stale = { ...approve, expected_version: 7 };
    expect(await admin.refused("chest_update_memory", stale)).toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await admin.update(approve)).toMatchObject({ version: 2, visibility: "team" });
    expect([await sees(colleague, id), await waiting(admin)]).toEqual([true, [0, []]]);
    expect(await admin.refused("chest_update_memory", approve)).toMatchObject({ code: "VERSION_CONFLICT" });

    await agent.update({ memory_id: id, visibility: "private" });
    expect(await sees(colleague, id)).toBe(false);
    const { versions } = await fixture.as({ caller: agent.caller }).memories.pastVersions({ id, limit: 5, offset: 0 });
    expect(versions.map(({ op, reason }) => [op, reason])).toEqual([
      ["move", undefined],
      ["move", "so it is"],
    ]);
  });

  it("a raise leaves a memory where it is, once asked for however often, and a decline ends that with its reason", async () => {
    const { agent, colleague, admin } = aTeam();
    const id = await agent.store("The project speaks of storks.");
    for (const _ of [1, 2]) {
      const raised = await agent.update({ memory_id: id, visibility: "team" });
      expect(raised.warnings).toMatchObject([{ reason: "waits_for_review" }]);
      expect(raised.version).toBe(2);
    }
    const decline = { memory_id: id, promotion: "decline", reason: "not the team's business" };
    expect(await colleague.refused("chest_update_memory", decline)).toMatchObject({ code: "FORBIDDEN" });
    await admin.update(decline);
    expect([await waiting(admin), await sees(colleague, id)]).toEqual([[0, []], true]);
    await agent.update({ memory_id: id, visibility: "team" });
    await agent.update({ memory_id: id, promotion: "decline" });
    expect(await waiting(admin)).toEqual([0, []]);
  });

  it("what an admin saves for the team, and what anybody saves for a project, waits for nobody", async () => {
    const { agent, colleague, admin } = aTeam();
    const ids = [await admin.store("Cranes dance.", { visibility: "team" }), await agent.store("Cranes fly.")];
    for (const id of ids) expect(await sees(colleague, id)).toBe(true);
    expect(await waiting(admin)).toEqual([0, []]);
  });

  it("the same name again brings what the team knows up to date, and what waits as well", async () => {
    const { agent, admin } = aTeam();
    const save = (agent: Agent, content: string, name: string) =>
      agent.remember({ content, name, visibility: "team", entity_name: agent.entity });
    const known = await save(admin, "Gulls eat chips.", "gulls");
    expect(await save(agent, "Gulls eat fish and chips.", "gulls")).toMatchObject({
      action: "updated",
      memory_id: known.memory_id,
    });
    const held = await save(agent, "Terns eat fish.", "terns");
    expect(await save(agent, "Terns eat small fish.", "terns")).toMatchObject({
      action: "updated",
      memory_id: held.memory_id,
      warnings: [{ reason: "waits_for_review" }],
    });
    expect(await waiting(admin)).toEqual([1, [held.memory_id]]);
  });

  it("what waits in a project that is closed to an admin is not among what the admin lists", async () => {
    const { agent, admin } = aTeam();
    const id = await agent.store("The closed project speaks of owls.", { visibility: "team" });
    expect(await waiting(admin, { project: "*" })).toEqual([expect.any(Number), expect.arrayContaining([id])]);
    await closeProject(fixture, agent.caller.project);
    expect((await waiting(admin, { project: "*" }))[1]).not.toContain(id);
    const approve = { memory_id: id, promotion: "approve" };
    expect(await admin.refused("chest_update_memory", approve)).toMatchObject({ code: "NOT_FOUND" });
  });

  it("a promotion stands alone in its call, and a conversation for the team is refused", async () => {
    const { agent } = aTeam();
    const id = await agent.store("Wrens sing.", { visibility: "team" });
    expect(
      await agent.refused("chest_update_memory", { memory_id: id, promotion: "decline", content: "x" }),
    ).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "promotion" }] } });
    const messages = [{ role: "user", content: "Wrens sing." }];
    const capture = { action: "capture", conversation_id: "c", messages, visibility: "team" };
    expect(await agent.refused("chest_conversation", capture)).toMatchObject({
      details: { issues: [{ path: "visibility" }] },
    });
  });
}
