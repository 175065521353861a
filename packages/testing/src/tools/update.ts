import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "./engine-fixture.ts";

const DAY_S = 86_400;

/** Correcting a memory in place. */
export function updateContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const nowS = () => fixture.clock.now().getTime() / 1000;

  it("new words are found at once, the old ones no more", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("the walrus swims");
    const answer = await agent.update({ memory_id: id, content: "the penguin swims" });
    expect(answer).toEqual({
      ok: true,
      memory_id: id,
      updated_fields: ["content"],
      pinned: false,
      version: 2,
      embedding: { status: "pending" },
    });
    expect(await agent.find("walrus")).toEqual([]);
    expect(await agent.find("penguin")).toEqual([id]);
  });

  it("a reader's verdict moves its confidence and counts in the figures, and a useful one can be withdrawn", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("the puffin nests in burrows");
    const store = () => fixture.as({ caller: agent.caller });
    const state = async () => {
      const { shares } = await store().listings.statistics("everywhere");
      return [(await store().memories.byId(id))?.confidence, shares.reduce((sum, { useful }) => sum + useful, 0)];
    };
    expect(await state()).toEqual([0.8, 0]);
    expect(await agent.update({ memory_id: id, verdict: "useful" })).toMatchObject({
      updated_fields: ["verdict"],
      version: 2,
    });
    expect(await state()).toEqual([0.85, 1]);
    const { versions } = await store().memories.pastVersions({ id, limit: 1, offset: 0 });
    expect(versions[0]).toMatchObject({ reason: "useful" });
    await agent.update({ memory_id: id, verdict: "withdrawn", confidence: 0.8 });
    expect(await state()).toEqual([0.8, 0]);
    await agent.update({ memory_id: id, verdict: "wrong", reason: "they nest in cliffs here" });
    expect(await state()).toEqual([0.48, 0]);
  });

  it("what changes nothing leaves everything as it was", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("API_KEY=abcdefgh12345678 is read at start", { tags: ["a"], importance: 0.6 });
    const before = await fixture.as({ caller: agent.caller }).memories.byId(id);
    fixture.clock.advance(1000);
    const same = {
      content: "API_KEY=zyxwvuts87654321 is read at start",
      layer: "decision",
      importance: 0.6,
      add_tags: ["a"],
    };
    const answer = await agent.update({ memory_id: id, ...same });
    expect(answer).toMatchObject({
      updated_fields: ["content", "layer", "importance", "add_tags", "protected"],
      version: 1,
    });
    expect(answer).not.toHaveProperty("embedding");
    expect(await fixture.as({ caller: agent.caller }).memories.byId(id)).toEqual(before);
  });

  it("crossing 0.9 pins, and crossing back unpins at once", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("to be pinned");
    const pinned = await agent.update({ memory_id: id, importance: 0.9 });
    expect(pinned).toMatchObject({ updated_fields: ["importance", "protected"], pinned: true });
    expect(await agent.refused("chest_forget", { memory_id: id })).toMatchObject({ code: "PROTECTED" });
    expect(await agent.update({ memory_id: id, importance: 0.89 })).toMatchObject({ pinned: false });
    expect(await agent.forget({ memory_id: id })).toMatchObject({ archived: 1 });
  });

  it("another layer is another lifetime from now; the same layer is not", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("moves between layers", { layer: "context" });
    const expiry = async () => (await agent.recall({ ids: [id] })).memories[0]?.expires_at;
    fixture.clock.advance(10 * DAY_S * 1000);
    await agent.update({ memory_id: id, layer: "background" });
    expect(await expiry()).toBe(nowS() + 20 * DAY_S);
    expect(await agent.update({ memory_id: id, layer: "tried" })).toMatchObject({ updated_fields: ["layer"] });
    expect(await expiry()).toBe(nowS() + 90 * DAY_S);
    expect(await agent.update({ memory_id: id, layer: "why" })).toMatchObject({
      updated_fields: ["layer", "protected"],
    });
    expect(await expiry()).toBeUndefined();
    expect(await agent.update({ memory_id: id, layer: "mood" })).toMatchObject({
      updated_fields: ["layer", "protected"],
    });
    expect(await expiry()).toBe(nowS() + 14 * DAY_S);
  });

  it("an expiry that a caller set outlives a change of layer, until a protected layer clears it", async () => {
    const agent = anAgent(fixture);
    const expires_at = nowS() + 5 * DAY_S;
    const id = await agent.store("has an end of its own", { layer: "context", expires_at });
    const expiry = async () => (await agent.recall({ ids: [id] })).memories[0]?.expires_at;
    await agent.update({ memory_id: id, layer: "learning" });
    expect(await expiry()).toBe(expires_at);
    await agent.update({ memory_id: id, layer: "goal" });
    expect(await expiry()).toBeUndefined();
    await agent.update({ memory_id: id, layer: "learning" });
    expect(await expiry()).toBe(nowS() + 365 * DAY_S);
  });

  it("an archived memory can be edited and stays archived", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("archived narwhal");
    await agent.forget({ memory_id: id });
    expect(await agent.update({ memory_id: id, content: "archived beluga", add_tags: ["sea"] })).toMatchObject({
      ok: true,
      warnings: [{ reason: "archived", message: expect.stringContaining("stays so") }],
    });
    expect(await agent.update({ memory_id: await agent.store("a live one"), importance: 0.6 })).not.toHaveProperty(
      "warnings",
    );
    expect(await agent.find("beluga")).toEqual([]);
    expect(await agent.find("beluga", { include_archived: true, tags: ["sea"] })).toEqual([id]);
  });

  it("puts a memory away and brings it back, whatever replaced it, with a reason that its history keeps", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a shy okapi");
    const answer = await agent.update({ memory_id: id, archived: true, reason: "moved to the wiki" });
    expect(answer).toMatchObject({ updated_fields: ["archived"], version: 2 });
    expect(answer).not.toHaveProperty("warnings");
    expect(await agent.find("okapi")).toEqual([]);
    expect(await agent.update({ memory_id: id, archived: true })).toMatchObject({ version: 2 });
    expect(await agent.update({ memory_id: id, archived: false, content: "a bold okapi" })).toMatchObject({
      version: 4,
    });
    expect(await agent.find("okapi")).toEqual([id]);
    const { memory_id: successor } = await agent.remember({ content: "the okapi sleeps", supersedes: [id] });
    await agent.update({ memory_id: id, archived: false });
    expect((await agent.find("okapi")).toSorted()).toEqual([id, successor].toSorted());
    const { items } = await agent.inspect({ view: "history", id });
    expect(items).toContainEqual(expect.objectContaining({ ended_by: "archive", reason: "moved to the wiki" }));
    const pitfall = await agent.store("a pitfall", { layer: "realize" });
    expect(await agent.refused("chest_update_memory", { memory_id: pitfall, archived: true })).toMatchObject({
      code: "PROTECTED",
    });
    const pinned = await agent.store("pinned", { importance: 0.95 });
    expect(await agent.update({ memory_id: pinned, importance: 0.5, archived: true })).toMatchObject({ pinned: false });
  });

  it("is shared further by its author alone, and less by its author or an admin", async () => {
    const author = anAgent(fixture);
    const { project } = author.caller;
    const colleague = anAgent(fixture, { project });
    const admin = anAgent(fixture, { project, scopes: new Set(["read", "write", "admin"]) });
    const id = await author.store("a wary meerkat", { visibility: "private", entity_key: "meerkat" });
    const share = (visibility: string) => author.update({ memory_id: id, visibility });
    expect(await colleague.find("meerkat")).toEqual([]);
    expect(await share("project")).toMatchObject({ updated_fields: ["visibility"], version: 2 });
    expect(await colleague.find("meerkat")).toEqual([id]);
    expect((await colleague.list()).entities).toMatchObject([{ name: author.entity, canonical_key: "meerkat" }]);
    const elsewhere = anAgent(fixture);
    expect(await elsewhere.find("meerkat")).toEqual([]);
    const raise = { memory_id: id, visibility: "team" };
    expect(await colleague.refused("chest_update_memory", raise)).toMatchObject({ code: "FORBIDDEN" });
    expect(await admin.refused("chest_update_memory", raise)).toMatchObject({ code: "FORBIDDEN" });
    await share("global");
    expect(await elsewhere.find("meerkat")).toEqual([id]);
    const lower = { memory_id: id, visibility: "project" };
    expect(await colleague.refused("chest_update_memory", lower)).toMatchObject({ code: "FORBIDDEN" });
    expect(await admin.update(lower)).toMatchObject({ version: 4 });
    expect(await elsewhere.find("meerkat")).toEqual([]);
    await admin.update({ memory_id: id, visibility: "private" });
    expect(await admin.find("meerkat")).toEqual([]);
    expect(await author.find("meerkat")).toEqual([id]);
    const of = (await author.inspect({ view: "history", id })).items.map(({ visibility }) => visibility);
    expect(of).toEqual(["private", "project", "team", "project", "private"]);
    const free = await anAgent(fixture, { project: undefined }).remember({ content: "of no project" });
    expect(free).toMatchObject({ ok: true });
  });

  it("shows those whom a memory is raised to nothing of what it said before", async () => {
    const author = anAgent(fixture);
    const colleague = anAgent(fixture);
    const id = await author.store("the vole is shy, which is between us", { visibility: "private" });
    await author.update({ memory_id: id, content: "the vole is shy here", visibility: "project" });
    await author.update({ memory_id: id, content: "the vole is shy", visibility: "team" });
    await author.update({ memory_id: id, content: "voles are shy" });
    const told = async (agent: Agent) => {
      const { items, total } = await agent.inspect({ view: "history", id });
      return [total, items.map(({ version }) => version)];
    };
    expect(await told(author)).toEqual([6, [6, 5, 4, 3, 2, 1]]);
    expect(await told(colleague)).toEqual([4, [6, 5, 4, 3]]);
    await closeProject(fixture, author.caller.project);
    expect(await told(colleague)).toEqual([2, [6, 5]]);
    expect(await colleague.inspect({ view: "history", id, limit: 1, offset: 1 })).toMatchObject({
      has_more: false,
      items: [{ version: 5, content: "the vole is shy" }],
    });
  });

  it("moves to another project and back by its author, and shows neither's readers what it said in the other", async () => {
    const author = anAgent(fixture);
    const here = anAgent(fixture, { project: author.caller.project });
    const there = anAgent(fixture, { scopes: new Set(["read", "write", "admin"]) });
    const [key, other] = [String(author.caller.project), String(there.caller.project)];
    await there.store("that there is such a project");
    const id = await author.store("the numbat sleeps at night, as the old site knows");
    await author.update({ memory_id: id, content: "the numbat sleeps at night" });
    expect(await here.find("numbat")).toEqual([id]);
    const move = { memory_id: id, to_project: other };
    expect(await here.refused("chest_update_memory", move)).toMatchObject({ code: "FORBIDDEN" });
    await author.update(move);
    const none = [undefined, undefined];
    const moves = async (agent: Agent) =>
      (await agent.inspect({ view: "history", id })).items.map(({ moved_from: from, moved_to: to }) => [from, to]);
    expect(await moves(author)).toEqual([none, [key, other], none]);
    expect(await moves(there)).toEqual([none]);
    expect([await here.find("numbat"), await there.find("numbat")]).toEqual([[], [id]]);
    await author.update({ memory_id: id, content: "the numbat sleeps by night" });
    await closeProject(fixture, key);
    const told = async (agent: Agent) =>
      (await agent.inspect({ view: "history", id })).items.map((each) => each.content);
    expect(await told(there)).toEqual(["the numbat sleeps by night", "the numbat sleeps at night"]);
    const all = (await author.inspect({ view: "history", id })).items;
    expect(all.map(({ visibility }) => visibility)).toEqual(["project", "project", "project", "project"]);
    // The old project is closed to its author now, and not named.
    expect(await moves(author)).toEqual([none, none, [undefined, other], none]);

    expect(await there.refused("chest_update_memory", { memory_id: id, to_project: other })).toMatchObject({
      code: "FORBIDDEN",
    });
    const closed = { memory_id: id, to_project: key };
    expect(await author.refused("chest_update_memory", closed)).toMatchObject({ code: "NOT_FOUND" });
    const free = { memory_id: id, to_project: "" };
    expect(await author.refused("chest_update_memory", free)).toMatchObject({ code: "VALIDATION_ERROR" });
    await author.update({ ...free, visibility: "team" });
    expect(await there.find("numbat")).toEqual([id]);
    expect(await there.update({ memory_id: id, to_project: other })).toMatchObject({ updated_fields: ["to_project"] });
    await author.update({ memory_id: id, visibility: "project" });
    expect([await here.find("numbat"), await there.find("numbat")]).toEqual([[], [id]]);
  });

  it("tags come and go, and are found by", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a tagged manatee", { tags: ["a", "b"] });
    const answer = await agent.update({ memory_id: id, add_tags: ["#C"], remove_tags: ["A"] });
    expect(answer).toMatchObject({ updated_fields: ["add_tags", "remove_tags"] });
    expect((await agent.recall({ query: "manatee", tags: ["c"] })).memories).toMatchObject([{ id, tags: ["b", "c"] }]);
    expect(await agent.find("manatee", { tags: ["a"] })).toEqual([]);
  });

  it("of two who expect one version the first wins, and the other learns both numbers", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("edited by two");
    expect(await agent.update({ memory_id: id, content: "by the first", expected_version: 1 })).toMatchObject({
      version: 2,
    });
    const refusal = await agent.refused("chest_update_memory", {
      memory_id: id,
      content: "by the second",
      expected_version: 1,
    });
    expect(refusal).toMatchObject({ code: "VERSION_CONFLICT", details: { expected: 1, actual: 2 } });
    expect((await agent.recall({ ids: [id] })).memories[0]?.content).toBe("by the first");
  });

  it("what the caller may not open is not found", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("mine", { visibility: "private" });
    const refusal = await anAgent(fixture).refused("chest_update_memory", { memory_id: id, importance: 1 });
    expect(refusal).toMatchObject({ code: "NOT_FOUND", message: `memory ${id} not found`, details: { id } });
  });

  it("checks existence, length, layer, protection and emptiness in this order", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("a pitfall", { layer: "realize" });
    const long = "x".repeat(8001);
    const codes = [];
    for (const input of [
      { memory_id: 77_777_777, content: long, layer: "nonsense" },
      { memory_id: id, content: long, layer: "nonsense" },
      { memory_id: id, content: "fine", layer: "nonsense" },
      { memory_id: id, layer: "learning" },
      { memory_id: id },
      { memory_id: id, expected_version: 7 },
    ]) {
      codes.push((await agent.refused("chest_update_memory", input)).code);
    }
    expect(codes).toEqual([
      "NOT_FOUND",
      "VALIDATION_ERROR",
      "INVALID_INPUT",
      "PROTECTED",
      "INVALID_INPUT",
      "INVALID_INPUT",
    ]);
    expect(await agent.update({ memory_id: id, layer: "warning" })).toMatchObject({ updated_fields: ["layer"] });
  });
}
