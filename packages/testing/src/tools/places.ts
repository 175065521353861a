import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk } from "../desk.ts";
import { aHouse } from "./house.ts";

/** Requirements on spaces and who finds a memory there: `project`, `visibility`, and a client that names neither. */
export function placesContract(open: OpenEngine): void {
  const house = aHouse(open);

  it.each([
    ["nothing said", {}, { colleague: true, stranger: false }],
    ["`project`", { visibility: "project" }, { colleague: true, stranger: false }],
    ["`team`", { visibility: "team" }, { colleague: true, stranger: true }],
    ["`global`, 1.5's word for it", { visibility: "global" }, { colleague: true, stranger: true }],
    ["`private`", { visibility: "private" }, { colleague: false, stranger: false }],
  ])("with %s a memory is seen by whom it should be", async (_, over, seen) => {
    const author = aDesk(house);
    const colleague = aDesk(house, { project: author.caller.project });
    const stranger = aDesk(house);
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
    const desk = aDesk(house);
    const elsewhere = `${desk.caller.project}-elsewhere`;
    const id = await desk.store("a wandering albatross", { project: elsewhere });
    expect(await desk.find("albatross")).toEqual([]);
    expect(await desk.find("albatross", { project: elsewhere })).toEqual([id]);
    expect(await aDesk(house, { project: elsewhere }).find("albatross")).toEqual([id]);
    expect((await desk.list({ project: elsewhere })).entities).toMatchObject([{ name: desk.entity, memory_count: 1 }]);
  });

  it("of a client that names no project lies with the team, and that client reaches all it may", async () => {
    const old = aDesk(house, { project: undefined });
    const desk = aDesk(house);
    const shared = await old.store("a capybara for everybody");
    const own = await desk.store("a capybara of this project");
    const secret = await desk.store("a capybara of mine", { visibility: "private" });
    expect(await desk.find("everybody capybara", { limit: 1 })).toEqual([shared]);
    expect((await old.find("capybara")).toSorted()).toEqual([shared, own].toSorted());
    expect((await desk.find("capybara")).toSorted()).toEqual([shared, own, secret].toSorted());
  });

  it("has nothing for a project that nobody wrote to", async () => {
    const desk = aDesk(house);
    await desk.store("a lone axolotl");
    expect(await desk.recall({ query: "axolotl", project: "no/such/project" })).toMatchObject({
      count: 0,
      memories: [],
    });
    expect(await desk.list({ project: "no/such/project", min_memories: 0 })).toMatchObject({ total: 0, entities: [] });
  });

  it("lies in one project: `project` without one and `*` are refused, and leave nothing", async () => {
    const old = aDesk(house, { project: undefined });
    const fact = { entity_name: old.entity, entity_kind: "project", layer: "learning", content: "nowhere" };
    const homeless = await old.refused("chest_remember", { ...fact, visibility: "project" });
    expect(homeless).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: "visibility" }] } });
    const everywhere = await old.refused("chest_remember", { ...fact, project: "*" });
    expect(everywhere).toMatchObject({ code: "INVALID_INPUT", details: { field: "project", given: "*" } });
    expect((await house.engine.access.projects()).map(({ key }) => key)).not.toContain("*");
  });
}
