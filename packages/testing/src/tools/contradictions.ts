import { onPrompt } from "@chest/core/hooks";
import { readResource } from "@chest/core/resources";
import { expect, it } from "vitest";
import type { OpenEngine } from "../contracts/engine-contract.ts";
import { aDesk } from "../desk.ts";
import { CONTRADICTING_SHORT } from "../short-pairs.ts";
import { aHouse } from "./house.ts";

/** A save that says otherwise than what is stored. */
export function contradictionsContract(open: OpenEngine): void {
  const house = aHouse(open);
  const shown = (memories: readonly { readonly id: number; readonly contradicted_by?: unknown }[]) =>
    memories.map(({ id, contradicted_by: by }) => ({ id, by })).sort((a, b) => a.id - b.id);

  it("a save that contradicts what is stored says so, with the sentence, and both rows say it wherever they come back", async () => {
    const desk = aDesk(house);
    const old = await desk.store("The orders database is PostgreSQL 15. It has two replicas.");
    await desk.store("The orders team meets on Mondays.");
    const answer = await desk.remember({ content: "The orders database is MySQL." });
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
      const { memories } = await desk.recall({ query: "orders database", explain });
      expect(shown(memories).filter(({ by }) => by !== undefined)).toEqual(both);
    }
    expect(shown((await desk.recall({ ids: [old, newer] })).memories)).toEqual(both);

    const store = house.as({ caller: desk.caller });
    expect(await readResource(`memory://memory/${old}`, store)).toMatchObject({ contradicted_by: [newer] });
    const { conflicts } = store;
    expect(await conflicts.conflicts({ reach: "here", limit: 10, offset: 0 })).toMatchObject({
      total: 1,
      pairs: [{ newer: { id: newer }, older: { id: old }, note: "value" }],
    });
    const ports = { ...house.ports, store, signal: new AbortController().signal };
    const prompt = "which database do the orders use";
    const asked = { prompt, files: [], shown: [], language: "en" as const, is_first: false };
    const { context = "" } = (await onPrompt(asked, ports, desk.caller)) as { context?: string };
    expect(context).toContain(`contradicted-by=${newer}`);
  });

  it.each(CONTRADICTING_SHORT.filter((_, nth) => nth % 4 === 1))("says so of %j and %j", async (a, b) => {
    const desk = aDesk(house);
    await desk.store("Telemetry goes to the collector in Frankfurt.");
    const old = await desk.store(a);
    expect(await desk.remember({ content: b })).toMatchObject({ contradicts: [{ id: old }] });
  });

  it("what stands side by side is not linked", async () => {
    const desk = aDesk(house);
    await desk.store("In production the timeout is 30 seconds.");
    const answer = await desk.remember({ content: "In staging the timeout is 5 seconds." });
    expect(answer).not.toHaveProperty("contradicts");
    expect(answer).not.toHaveProperty("warnings");
  });

  it("a restatement is named as similar, unless it is forced, and contradicts nothing", async () => {
    const desk = aDesk(house);
    const first = await desk.store("Generated files are ignored by the linter.");
    const again = await desk.remember({ content: "The linter ignores generated files." });
    expect(again).toMatchObject({ action: "created", similar: [first] });
    expect(again).not.toHaveProperty("contradicts");
    const forced = await desk.remember({ content: "The linter ignores the generated files.", force: true });
    expect(forced).not.toHaveProperty("similar");
  });

  it("one statement in five spellings is one memory, unless it is forced", async () => {
    const desk = aDesk(house);
    const first = await desk.store("Run the type check before every push to the main branch.");
    for (const content of [
      "run the type check before every push to the main branch",
      "Run the type check before every push to the main branch!",
      "  Run the type check  before every push\nto the main branch. ",
      "Run the type check before each push to the main branch.",
    ])
      expect(await desk.remember({ content })).toMatchObject({ action: "duplicate", memory_id: first });
    const forced = await desk.remember({
      content: "run the type check before each push to the main branch",
      force: true,
    });
    expect(forced).toMatchObject({ action: "created" });
    expect(
      await desk.remember({ content: "Run the type check before every pull from the main branch." }),
    ).toMatchObject({
      action: "created",
    });
  });

  it("what is said but for a word or two is named as similar, and what differs by a number is not", async () => {
    const desk = aDesk(house);
    const first = await desk.store("The petrel service writes its log to the shared volume every night.");
    const again = await desk.remember({
      content: "The petrel service writes its whole log to the shared volume every night.",
    });
    expect(again).toMatchObject({ action: "created", similar: [first] });
    await desk.store("Shard 7 of the petrel index is copied to the second region at dawn.");
    const other = await desk.remember({
      content: "Shard 8 of the petrel index is copied to the second region at dawn.",
    });
    expect(other).not.toHaveProperty("similar");
    const less = await desk.remember({ content: "The petrel service reads its settings from the shared volume." });
    expect(less).not.toHaveProperty("similar");
  });

  it.each([
    ["of another entity", { entity_name: "elsewhere" }],
    ["in another space", { visibility: "private" }],
  ])("what is %s contradicts nothing", async (_, over) => {
    const desk = aDesk(house);
    await desk.store("The gateway listens on port 8080.");
    const answer = await desk.remember({ content: "The gateway listens on port 9443.", ...over });
    expect(answer).not.toHaveProperty("contradicts");
  });

  it("what was put away contradicts nothing, and its opponent is free of it", async () => {
    const desk = aDesk(house);
    const old = await desk.store("Query caching is enabled.");
    const newer = await desk.store("Query caching is disabled.");
    await desk.forget({ memory_id: old });
    expect(shown((await desk.recall({ ids: [newer] })).memories)).toEqual([{ id: newer, by: undefined }]);
    expect(await desk.remember({ content: "Query caching is enabled, mostly for reads." })).toMatchObject({
      contradicts: [{ id: newer, reason: "opposite" }],
    });
  });

  it("one that is replaced by the save is no contradiction of it", async () => {
    const desk = aDesk(house);
    const old = await desk.store("Session tokens expire after 30 minutes.");
    const answer = await desk.remember({ content: "Session tokens expire after 24 hours.", supersedes: [old] });
    expect(answer).toMatchObject({ superseded: [old] });
    expect(answer).not.toHaveProperty("contradicts");
  });

  it("other words for a memory are held against the rest, and what no longer contradicts is free again", async () => {
    const desk = aDesk(house);
    const old = await desk.store("The build server is in Frankfurt.");
    const newer = await desk.store("The build server is in Dublin.");
    const mended = await desk.update({ memory_id: newer, content: "The build server of the app is in Frankfurt." });
    expect(mended).not.toHaveProperty("contradicts");
    expect(shown((await desk.recall({ ids: [old, newer] })).memories)).toEqual([
      { id: old, by: undefined },
      { id: newer, by: undefined },
    ]);
    expect(await desk.update({ memory_id: newer, content: "The build server is in Oslo." })).toMatchObject({
      contradicts: [{ id: old, reason: "value", excerpt: "The build server is in Frankfurt" }],
    });
  });

  it("a repeat under the same key is told the same", async () => {
    const desk = aDesk(house);
    await desk.store("The gateway listens on port 8080.");
    const content = "The gateway listens on port 9443.";
    const first = await desk.remember({ content }, { idempotencyKey: "again" });
    expect(first).toHaveProperty("contradicts");
    expect(await desk.remember({ content }, { idempotencyKey: "again" })).toEqual(first);
  });
}
