import { LOCAL } from "@chest/core/access";
import { readResource } from "@chest/core/resources";
import { expect, it } from "vitest";
import { type Agent, anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { closeProject, engineFixture } from "./engine-fixture.ts";

/** An entity shows only through a visible memory, and says nothing of those that are not. */
export function entitySpacesContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const pair = (): readonly [Agent, Agent] => {
    const alice = anAgent(fixture);
    return [alice, anAgent(fixture, { project: alice.caller.project })];
  };
  const listed = async (agent: Agent, name: string) =>
    (await agent.list()).entities.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  const where = [
    ["private", { visibility: "private" }],
    ["of a closed project", {}],
  ] as const;

  it.each(where)("does not take the name, the kind or the key of one that is %s", async (_, place) => {
    const alice = anAgent(fixture, { member: LOCAL });
    const bob = anAgent(fixture);
    await closeProject(fixture, alice.caller.project);
    const key = `${alice.entity}.example`;
    const hidden = { entity_name: `SecretDeal ${alice.entity}`, entity_kind: "company", entity_key: key };
    const secret = await alice.remember({ ...hidden, ...place });
    const shown = await bob.remember({ entity_name: `Own ${bob.entity}`, entity_key: key, visibility: "team" });
    expect(shown.entity_id).not.toBe(secret.entity_id);
    expect(shown).not.toHaveProperty("warnings");
    const { memories } = await bob.recall({ ids: [shown.memory_id] });
    expect(memories).toMatchObject([{ entity: { name: `Own ${bob.entity}`, kind: "project" } }]);
    expect(await bob.recall({ entity_name: `Own ${bob.entity}` })).toMatchObject({ count: 1 });
    expect(await bob.recall({ entity_name: `SecretDeal ${alice.entity}` })).toMatchObject({ count: 0 });
  });

  it("does not name a closed project to the team, where nothing else was named", async () => {
    const alice = anAgent(fixture, { member: LOCAL });
    const bob = anAgent(fixture);
    await closeProject(fixture, alice.caller.project);
    const fact = (content: string, over: object = {}) =>
      alice.call("chest_remember", { content, layer: "learning", ...over }) as Promise<{ memory_id: number }>;
    const subjects = async (agent: Agent, ...saved: readonly { memory_id: number }[]) =>
      (await agent.recall({ ids: saved.map(({ memory_id: id }) => id) })).memories.map(({ entity }) => entity);
    const general = { name: "general", kind: "other" };
    const own = { name: alice.caller.project?.split("/").at(-1), kind: "project" };

    const raised = await fact("the bilby is for all");
    expect(await subjects(alice, raised)).toMatchObject([own]);
    await alice.update({ memory_id: raised.memory_id, visibility: "team" });
    const written = await fact("the numbat is for all", { visibility: "team" });
    const named = await fact("the quoll is, too", {
      visibility: "team",
      entity_name: "Quoll",
      entity_kind: "project",
    });
    expect(await subjects(bob, raised, written, named)).toMatchObject([
      general,
      general,
      { name: "Quoll", kind: "project" },
    ]);
    const open = (await bob.call("chest_remember", {
      content: "the dingo is for all",
      layer: "learning",
      visibility: "team",
    })) as { memory_id: number };
    expect(await subjects(alice, open)).toMatchObject([
      { name: bob.caller.project?.split("/").at(-1), kind: "project" },
    ]);
  });

  it("does not tell of a key that somebody stated in private, and keeps none for it", async () => {
    const [alice, bob] = pair();
    const name = `Carol-Smith ${alice.entity}`;
    await bob.remember({ entity_name: name, entity_key: "carol.private@example", visibility: "private" });
    const plain = await alice.remember({ entity_name: name.toLowerCase() });
    expect(await listed(alice, name)).toMatchObject([{ canonical_key: null, memory_count: 1 }]);
    const keyed = await alice.remember({ entity_name: name, entity_key: "carol@example" });
    expect(keyed).not.toHaveProperty("warnings");
    expect(keyed.entity_id).toBe(plain.entity_id);
    expect(await listed(alice, name)).toMatchObject([{ canonical_key: "carol@example", memory_count: 2 }]);
  });

  it("does not show to others the key that its own reader gave it in private", async () => {
    const [alice, bob] = pair();
    const entity_name = `Shared ${alice.entity}`;
    await bob.remember({ entity_name });
    await alice.remember({ entity_name, entity_key: "private-key", visibility: "private" });
    expect(await listed(bob, entity_name)).toMatchObject([{ canonical_key: null, memory_count: 1 }]);
    expect(await listed(alice, entity_name)).toMatchObject([{ canonical_key: "private-key", memory_count: 2 }]);
  });

  it("has the momentum of what can be seen", async () => {
    const [alice, bob] = pair();
    const entity_name = `Watched ${alice.entity}`;
    await bob.remember({ entity_name });
    const momenta = async () => [
      (await listed(bob, entity_name)).map(({ momentum }) => momentum),
      (await bob.recall({ entity_name })).memories.map(({ entity }) => entity.momentum),
    ];
    const before = await momenta();
    for (let i = 0; i < 15; i++) await alice.remember({ entity_name, visibility: "private", importance: 0.8 });
    expect(await momenta()).toEqual(before);
    expect((await bob.remember({ entity_name })).momentum).toEqual(
      (await bob.remember({ entity_name: `Unwatched ${alice.entity}` })).momentum,
    );
  });

  it("is one to whoever opens all the spaces it is told of: found by its name, listed and counted once", async () => {
    const [alice, bob] = pair();
    const name = `Everywhere ${alice.entity}`;
    const asAlice = () => fixture.as({ caller: alice.caller });
    const subjects = async () =>
      (await asAlice().memories.overview("here")).entities.reduce((sum, { entities }) => sum + entities, 0);
    const before = await subjects();
    const own = await alice.store("said in private", { entity_name: name, visibility: "private" });
    const project = await alice.store("said in the project", { entity_name: name });
    const team = await bob.store("said to the team", { entity_name: name.toLowerCase(), visibility: "team" });
    const found = (await alice.recall({ entity_name: name })).memories.map(({ id }) => id);
    expect(found.toSorted()).toEqual([own, project, team].toSorted());
    expect(await listed(alice, name)).toMatchObject([{ memory_count: 3, layer_breakdown: { learning: 3 } }]);
    expect(await readResource(`memory://entity/${encodeURIComponent(name)}`, asAlice())).toMatchObject({ count: 3 });
    expect(await subjects()).toBe(before + 1);
    expect((await bob.recall({ entity_name: name })).count).toBe(2);
  });

  it("is shown once where the same was said of it in two spaces", async () => {
    const [alice] = pair();
    const entity_name = `Twice ${alice.entity}`;
    const content = "the gateway listens on port 7443 behind the proxy";
    const first = await alice.store(content, { entity_name });
    const second = await alice.store(content, { entity_name, visibility: "private" });
    const { memories } = await alice.recall({ query: "gateway port" });
    const shown = memories.map(({ id, near_duplicates }) => [id, ...(near_duplicates as number[])].toSorted());
    expect(shown).toEqual([[first, second].toSorted()]);
  });
}
