import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import type { Recalled } from "../tool-answers.ts";
import { engineFixture } from "./engine-fixture.ts";

/** Requirements on spaces and who finds a memory there: `project`, `visibility`, and a client that names neither. */
export function placesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it.each([
    ["nothing said", {}, { colleague: true, stranger: false }],
    ["`project`", { visibility: "project" }, { colleague: true, stranger: false }],
    ["`team`", { visibility: "team" }, { colleague: true, stranger: true }],
    ["`global`, 1.5's word for it", { visibility: "global" }, { colleague: true, stranger: true }],
    ["`private`", { visibility: "private" }, { colleague: false, stranger: false }],
  ])("with %s a memory is seen by whom it should be", async (_, over, seen) => {
    const author = anAgent(fixture);
    const colleague = anAgent(fixture, { project: author.caller.project });
    const stranger = anAgent(fixture);
    const word = `quokka${author.entity.replace("-", "")}`;
    const id = await author.store(`a ${word} was here`, over);
    expect(await author.find(word)).toEqual([id]);
    expect(await colleague.find(word)).toEqual(seen.colleague ? [id] : []);
    expect(await stranger.find(word)).toEqual(seen.stranger ? [id] : []);
    const everywhere = await stranger.find(word, { project: "*" });
    expect(everywhere).toEqual("visibility" in over && over.visibility === "private" ? [] : [id]);
    const reason = { memories: [], not_returned: [{ id, reason: "not_found" }] };
    if (everywhere.length === 0) expect(await stranger.recall({ ids: [id] })).toMatchObject(reason);
  });

  it("goes into the project it names, and is found there by that name", async () => {
    const agent = anAgent(fixture);
    const elsewhere = `${agent.caller.project}-elsewhere`;
    const id = await agent.store("a wandering albatross", { project: elsewhere });
    expect(await agent.find("albatross")).toEqual([]);
    expect(await agent.find("albatross", { project: elsewhere })).toEqual([id]);
    expect(await anAgent(fixture, { project: elsewhere }).find("albatross")).toEqual([id]);
    expect((await agent.list({ project: elsewhere })).entities).toMatchObject([
      { name: agent.entity, memory_count: 1 },
    ]);
  });

  it("of a client that names no project lies with the team, and that client reaches all it may", async () => {
    const old = anAgent(fixture, { project: undefined });
    const agent = anAgent(fixture);
    const shared = await old.store("a capybara for everybody");
    const own = await agent.store("a capybara of this project");
    const secret = await agent.store("a capybara of mine", { visibility: "private" });
    expect(await agent.find("everybody capybara", { limit: 1 })).toEqual([shared]);
    expect((await old.find("capybara")).toSorted()).toEqual([shared, own].toSorted());
    expect((await agent.find("capybara")).toSorted()).toEqual([shared, own, secret].toSorted());
  });

  it("has nothing for a project that nobody wrote to", async () => {
    const agent = anAgent(fixture);
    await agent.store("a lone axolotl");
    expect(await agent.recall({ query: "axolotl", project: "no/such/project" })).toMatchObject({
      count: 0,
      memories: [],
    });
    expect(await agent.list({ project: "no/such/project", min_memories: 0 })).toMatchObject({ total: 0, entities: [] });
  });

  it("lies in one project: `project` without one is refused, beside `*` too, and leaves nothing", async () => {
    const old = anAgent(fixture, { project: undefined });
    const fact = { entity_name: old.entity, entity_kind: "project", layer: "learning", content: "nowhere" };
    for (const over of [{}, { project: "*" }]) {
      const homeless = await old.refused("chest_remember", { ...fact, ...over, visibility: "project" });
      expect(homeless).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "visibility" }] } });
    }
    expect((await fixture.engine.access.projects()).map(({ key }) => key)).not.toContain("*");
  });

  it.each([
    ["a person", { entity_kind: "person", content: "Mia reviews migrations on Mondays" }],
    ["a preference", { category: "preference", content: "answers in short sentences" }],
    ["a tool, in words", { entity_kind: "other", content: "I prefer ripgrep to find" }],
    ["a machine, in words", { entity_kind: "other", content: "this laptop has no GPU" }],
    ["all projects, by name", { project: "*", content: "releases are tagged on Fridays" }],
  ])("keeps what is said of %s for the member who says it, in all its projects, and says so", async (_, over) => {
    const author = anAgent(fixture);
    const colleague = anAgent(fixture, { project: author.caller.project });
    const elsewhere = anAgent(fixture, { member: author.caller.member });
    const answer = await author.remember(over);
    expect(answer.warnings).toMatchObject([{ reason: "own_everywhere" }]);
    expect(await elsewhere.find(over.content)).toEqual([answer.memory_id]);
    expect(await colleague.find(over.content)).toEqual([]);
    const shared = await author.remember({ ...over, content: `${over.content}, all of us`, visibility: "team" });
    expect(shared.warnings ?? []).toEqual([]);
    expect(await colleague.find(over.content)).toContain(shared.memory_id);
  });

  it("is looked for in the other open projects where its own has nothing, which is said with each one's key", async () => {
    const member = { id: 990_001, name: "wanderer" };
    const [here, there] = [anAgent(fixture, { member }), anAgent(fixture, { member })];
    const id = await there.store("the pangolin exporter needs two passes");
    const own = await there.store("the pangolin exporter is mine to mend", { visibility: "private" });
    const asked = { query: "pangolin exporter" };
    const found = (await here.call("chest_recall", asked)) as Recalled;
    expect(found.memories.map((row) => row.id).toSorted()).toEqual([id, own].toSorted());
    expect(found.memories.every((row) => "project" in row && row.project === there.caller.project)).toBe(true);
    expect(found.warnings).toMatchObject([{ reason: "other_projects" }]);
    expect(await here.call("chest_recall", { ...asked, project: here.caller.project })).toMatchObject({ count: 0 });
    const known = await here.store("here the pangolin exporter runs nightly");
    expect((await here.call("chest_recall", asked)) as Recalled).toMatchObject({ count: 1, memories: [{ id: known }] });
  });

  it("is looked for in no project that is closed", async () => {
    const agent = anAgent(fixture);
    const closed = anAgent(fixture);
    const key = String(closed.caller.project);
    await closed.store("the tamarin ledger is audited in May");
    await fixture.engine.access.change(agent.caller, async (tx) => {
      const { id } = await tx.project(key);
      return tx.setProject(id, { access: "members", memberIds: [agent.caller.member.id] });
    });
    expect(await agent.call("chest_recall", { query: "tamarin ledger" })).toMatchObject({ count: 0, memories: [] });
  });
}
