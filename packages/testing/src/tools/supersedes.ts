import { LOCAL } from "@chest/core/access";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "./engine-fixture.ts";

/** Replacing by a caller's list. */
export function supersedesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("archives what a memory replaces, also of other entities, and links it to the new id", async () => {
    const agent = anAgent(fixture);
    const one = await agent.store("the old port is 80");
    const other = await agent.store("the older port is 81", { entity_name: "somebody else", layer: "context" });
    const answer = await agent.remember({ content: "the new port is 8765", supersedes: [one, other, one] });
    expect(answer).toMatchObject({ superseded: [one, other] });
    expect(answer).not.toHaveProperty("skipped_protected");
    expect(answer).not.toHaveProperty("skipped");
    expect(await agent.find("port")).toEqual([answer.memory_id]);
    const row = await fixture.as({ caller: agent.caller }).memories.byId(other);
    expect(row).toMatchObject({
      supersededById: answer.memory_id,
      archivedReason: "superseded",
      archivedAt: fixture.clock.now(),
    });
  });

  it("keeps what is protected and names each that it left, with the reason", async () => {
    const agent = anAgent(fixture);
    const realize = await agent.store("a pitfall stays", { layer: "realize" });
    const goal = await agent.store("a goal stays", { layer: "goal" });
    const pinned = await agent.store("a pin stays", { importance: 0.9 });
    const plain = await agent.store("a plain one goes");
    const archived = await agent.store("gone before");
    await agent.forget({ memory_id: archived });
    const answer = await agent.remember({ supersedes: [realize, goal, 99_999_999, pinned, archived, plain] });
    expect(answer).toMatchObject({
      superseded: [plain],
      skipped_protected: [realize, goal, pinned],
      skipped: [
        { id: 99_999_999, reason: "not_found" },
        { id: archived, reason: "archived" },
      ],
    });
    expect((await agent.find("stays")).toSorted()).toEqual([realize, goal, pinned].toSorted());
  });

  it("finds nothing of what the caller may not open", async () => {
    const owner = anAgent(fixture);
    const stranger = anAgent(fixture);
    const secret = await owner.store("mine alone", { visibility: "private" });
    const answer = await stranger.remember({ supersedes: [secret] });
    expect(answer.skipped).toEqual([{ id: secret, reason: "not_found" }]);
    expect(await owner.find("mine alone")).toEqual([secret]);
  });

  it("leaves what somebody reads who could not read its successor, and says so", async () => {
    const bob = anAgent(fixture);
    const carol = anAgent(fixture, { project: bob.caller.project });
    const fact = await bob.store("the canteen opens at eight", { visibility: "team" });
    const shared = await bob.store("the canteen is in the west wing");
    const answer = await bob.remember({ visibility: "private", supersedes: [fact, shared] });
    const kept = [fact, shared].map((id) => ({ id, reason: "wider_audience" }));
    expect(answer).not.toHaveProperty("superseded");
    expect(answer.skipped).toEqual(kept);
    expect((await carol.find("canteen")).toSorted()).toEqual([fact, shared].toSorted());
  });

  it("leaves what the team reads for what lies in a closed project", async () => {
    const insider = anAgent(fixture, { member: LOCAL });
    const outsider = anAgent(fixture);
    await closeProject(fixture, insider.caller.project);
    const fact = await insider.store("the ferry leaves at nine", { visibility: "team" });
    const answer = await insider.remember({ supersedes: [fact] });
    expect(answer.skipped).toEqual([{ id: fact, reason: "wider_audience" }]);
    expect(await outsider.find("ferry")).toEqual([fact]);
  });

  it("names no successor to whom it was closed since", async () => {
    const insider = anAgent(fixture, { member: LOCAL });
    const outsider = anAgent(fixture);
    const fact = await insider.store("the lighthouse is white", { visibility: "team" });
    const successor = (await insider.remember({ supersedes: [fact] })).memory_id;
    const raw = async (agent: Agent) =>
      (await agent.recall({ ids: [fact], format: "raw", include_superseded: true })).memories.map(
        ({ superseded_by_id }) => superseded_by_id,
      );
    const listed = async (agent: Agent) => {
      const { items } = await agent.inspect({ view: "archived" });
      return items.find(({ id }) => id === fact)?.superseded_by_id;
    };
    expect([await raw(outsider), await listed(outsider)]).toEqual([[successor], successor]);
    await closeProject(fixture, insider.caller.project);
    expect([await raw(insider), await raw(outsider)]).toEqual([[successor], [null]]);
    expect([await listed(insider), await listed(outsider)]).toEqual([successor, undefined]);
  });

  it("replaces what is one's own by what others read, and the team's by what every member may open", async () => {
    const agent = anAgent(fixture);
    const own = await agent.store("mine so far", { visibility: "private" });
    const team = await agent.store("everybody's so far", { visibility: "team" });
    expect(await agent.remember({ supersedes: [own, team] })).toMatchObject({ superseded: [own, team] });
  });

  it("has no say over what was superseded before", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("first wording");
    const second = (await agent.remember({ content: "second wording", supersedes: [first] })).memory_id;
    const third = await agent.remember({ content: "third wording", supersedes: [first] });
    expect(third.skipped).toEqual([{ id: first, reason: "archived" }]);
    expect(await fixture.as({ caller: agent.caller }).memories.byId(first)).toMatchObject({ supersededById: second });
  });
}
