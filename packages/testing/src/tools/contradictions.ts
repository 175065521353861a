import { onPrompt } from "@chest/core/hooks";
import { readResource } from "@chest/core/resources";
import { expect, it } from "vitest";
import { anAgent } from "../agent.ts";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { CONTRADICTING_SHORT } from "../short-pairs.ts";
import { engineFixture } from "./engine-fixture.ts";

/** Requirements on a save that contradicts a stored memory. */
export function contradictionsContract(open: OpenEngine): void {
  const fixture = engineFixture(open);
  const shown = (memories: readonly { readonly id: number; readonly contradicted_by?: unknown }[]) =>
    memories.map(({ id, contradicted_by: by }) => ({ id, by })).sort((a, b) => a.id - b.id);

  it("a save that contradicts what is stored says so, with the sentence, and both rows say it wherever they come back", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("The orders database is PostgreSQL 15. It has two replicas.");
    await agent.store("The orders team meets on Mondays.");
    const answer = await agent.remember({ content: "The orders database is MySQL." });
    const { memory_id: newer } = answer;
    expect(answer).toMatchObject({
      action: "created",
      contradicts: [{ id: old, reason: "value", excerpt: "The orders database is PostgreSQL 15" }],
      warnings: [{ reason: "possible_contradiction" }],
    });
    const both = [
      { id: old, by: [newer] },
      { id: newer, by: [old] },
    ];
    for (const explain of [true, false]) {
      const { memories } = await agent.recall({ query: "orders database", explain });
      expect(shown(memories).filter(({ by }) => by !== undefined)).toEqual(both);
    }
    expect(shown((await agent.recall({ ids: [old, newer] })).memories)).toEqual(both);

    const store = fixture.as({ caller: agent.caller });
    expect(await readResource(`memory://memory/${old}`, store)).toMatchObject({ contradicted_by: [newer] });
    const { conflicts } = store;
    expect(await conflicts.conflicts({ reach: "here", limit: 10, offset: 0 })).toMatchObject({
      total: 1,
      pairs: [{ newer: { id: newer }, older: { id: old }, note: "value" }],
    });
    const ports = { ...fixture.ports, store, signal: new AbortController().signal };
    const prompt = "which database do the orders use";
    const asked = { prompt, files: [], shown: [], language: "en" as const, is_first: false };
    const { context = "" } = (await onPrompt(asked, ports, agent.caller)) as { context?: string };
    expect(context).toContain(`contradicted-by=${newer}`);
  });

  it.each(CONTRADICTING_SHORT.filter((_, nth) => nth % 4 === 1))("says so of %j and %j", async (a, b) => {
    const agent = anAgent(fixture);
    await agent.store("Telemetry goes to the collector in Frankfurt.");
    const old = await agent.store(a);
    expect(await agent.remember({ content: b })).toMatchObject({ contradicts: [{ id: old }] });
  });

  it("what stands side by side is not linked", async () => {
    const agent = anAgent(fixture);
    await agent.store("In production the timeout is 30 seconds.");
    const answer = await agent.remember({ content: "In staging the timeout is 5 seconds." });
    expect(answer).not.toHaveProperty("contradicts");
    expect(answer).not.toHaveProperty("warnings");
  });

  it("a restatement is named as similar, unless it is forced, and contradicts nothing", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("Generated files are ignored by the linter.");
    const again = await agent.remember({ content: "The linter ignores generated files." });
    expect(again).toMatchObject({ action: "created", similar: [first] });
    expect(again).not.toHaveProperty("contradicts");
    const forced = await agent.remember({ content: "The linter ignores the generated files.", force: true });
    expect(forced).not.toHaveProperty("similar");
  });

  it("one statement in five spellings is one memory, unless it is forced", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("Run the type check before every push to the main branch.");
    for (const content of [
      "run the type check before every push to the main branch",
      "Run the type check before every push to the main branch!",
      "  Run the type check  before every push\nto the main branch. ",
      "Run the type check before each push to the main branch.",
    ])
      expect(await agent.remember({ content })).toMatchObject({ action: "duplicate", memory_id: first });
    const forced = await agent.remember({
      content: "run the type check before each push to the main branch",
      force: true,
    });
    expect(forced).toMatchObject({ action: "created" });
    expect(
      await agent.remember({ content: "Run the type check before every pull from the main branch." }),
    ).toMatchObject({
      action: "created",
    });
  });

  it("what is said but for a word or two is named as similar, and what differs by a number is not", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("The petrel service writes its log to the shared volume every night.");
    const again = await agent.remember({
      content: "The petrel service writes its whole log to the shared volume every night.",
    });
    expect(again).toMatchObject({ action: "created", similar: [first] });
    await agent.store("Shard 7 of the petrel index is copied to the second region at dawn.");
    const other = await agent.remember({
      content: "Shard 8 of the petrel index is copied to the second region at dawn.",
    });
    expect(other).not.toHaveProperty("similar");
    const less = await agent.remember({ content: "The petrel service reads its settings from the shared volume." });
    expect(less).not.toHaveProperty("similar");
  });

  it.each([
    ["of another entity", { entity_name: "elsewhere" }],
    ["in another space", { visibility: "private" }],
  ])("what is %s contradicts nothing", async (_, over) => {
    const agent = anAgent(fixture);
    await agent.store("The gateway listens on port 8080.");
    const answer = await agent.remember({ content: "The gateway listens on port 9443.", ...over });
    expect(answer).not.toHaveProperty("contradicts");
  });

  it("what was put away contradicts nothing, and its opponent is free of it", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("Query caching is enabled.");
    const newer = await agent.store("Query caching is disabled.");
    await agent.forget({ memory_id: old });
    expect(shown((await agent.recall({ ids: [newer] })).memories)).toEqual([{ id: newer, by: undefined }]);
    expect(await agent.remember({ content: "Query caching is enabled, mostly for reads." })).toMatchObject({
      contradicts: [{ id: newer, reason: "opposite" }],
    });
  });

  it("one that is replaced by the save is no contradiction of it", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("Session tokens expire after 30 minutes.");
    const answer = await agent.remember({ content: "Session tokens expire after 24 hours.", supersedes: [old] });
    expect(answer).toMatchObject({ superseded: [old] });
    expect(answer).not.toHaveProperty("contradicts");
  });

  it("other words for a memory are held against the rest, and what no longer contradicts is free again", async () => {
    const agent = anAgent(fixture);
    const old = await agent.store("The build server is in Frankfurt.");
    const newer = await agent.store("The build server is in Dublin.");
    const mended = await agent.update({ memory_id: newer, content: "The build server of the app is in Frankfurt." });
    expect(mended).not.toHaveProperty("contradicts");
    expect(shown((await agent.recall({ ids: [old, newer] })).memories)).toEqual([
      { id: old, by: undefined },
      { id: newer, by: undefined },
    ]);
    expect(await agent.update({ memory_id: newer, content: "The build server is in Oslo." })).toMatchObject({
      contradicts: [{ id: old, reason: "value", excerpt: "The build server is in Frankfurt" }],
    });
  });

  it("a repeat under the same key is told the same", async () => {
    const agent = anAgent(fixture);
    await agent.store("The gateway listens on port 8080.");
    const content = "The gateway listens on port 9443.";
    const first = await agent.remember({ content }, { idempotencyKey: "again" });
    expect(first).toHaveProperty("contradicts");
    expect(await agent.remember({ content }, { idempotencyKey: "again" })).toEqual(first);
  });
}
