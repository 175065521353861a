import { clientLabel } from "@chest/core/access";
import { expect, it } from "vitest";
import { anAgent } from "../../agent.ts";
import type { OpenEngine } from "../../contracts/engine-contract.ts";
import { engineFixture } from "../engine-fixture.ts";

const WHOLE = {
  title: "Why the cache is cold",
  category: "decision",
  certainty: "definite",
  confidence: 0.95,
  source_type: "code",
  evidence: ["measured on Monday", "API_KEY=abcdefgh12345678 stood in the log"],
  files: ["src/cache.ts"],
} as const;

/** Requirements on the metadata of memories. */
export function metadataContract(open: OpenEngine): void {
  const fixture = engineFixture(open);

  it("is stored clean, comes back raw, and is found by its title", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("warm it before the first request", WHOLE);
    const raw = await agent.recall({ ids: [id], format: "raw" });
    expect(raw.memories).toMatchObject([
      {
        title: WHOLE.title,
        category: "decision",
        certainty: "definite",
        confidence: 0.95,
        source_type: "code",
        evidence: ["measured on Monday", "API_KEY=[REDACTED] stood in the log"],
      },
    ]);
    expect(await agent.find("why is it cold")).toEqual([id]);
    const parts = await fixture.as({ caller: agent.caller }).listings.parts(id);
    expect(parts?.files).toMatchObject([{ path: "src/cache.ts" }]);
    expect(parts?.client).toBe(clientLabel(agent.caller.client));
    const onFile = { path_substring: "cache.ts" };
    expect(await agent.call("chest_recall_file", onFile)).toMatchObject({ linked_memories: [{ id }] });
  });

  it("narrows a question, and lists without one: newest first, page by page, whatever is written meanwhile", async () => {
    const agent = anAgent(fixture);
    const ids: number[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await agent.store(`quokka ${i}`, { category: "bug", confidence: 0.5 + i / 10, tags: ["island"] }));
      fixture.clock.advance(1000);
    }
    const other = await agent.store("quokka of another kind", { category: "feature" });
    expect((await agent.find("quokka", { category: "bug" })).toSorted((a, b) => a - b)).toEqual(ids);
    expect(await agent.find("quokka", { category: "bug", min_confidence: 0.85 })).toEqual([ids[4]]);
    expect(await agent.recall({ ids: [other], category: "bug" })).toMatchObject({
      not_returned: [{ id: other, reason: "category" }],
    });

    const first = await agent.recall({ tags: ["island"], limit: 2 });
    expect(first).toMatchObject({ total_candidates: 5, has_more: true, search: "list" });
    expect(first.memories.map(({ id }) => id)).toEqual([ids[4], ids[3]]);
    await agent.store("written between two pages", { tags: ["island"] });
    await agent.forget({ memory_id: ids[3] });
    fixture.clock.advance(86_400_000);
    const second = await agent.recall({ tags: ["island"], limit: 2, cursor: first.next_cursor });
    expect(second.memories.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const last = await agent.recall({ tags: ["island"], limit: 2, cursor: second.next_cursor });
    expect(last).toMatchObject({ has_more: false, memories: [{ id: ids[0] }] });
    expect(last).not.toHaveProperty("next_cursor");
    const refused = await agent.refused("chest_recall", { tags: ["island"], cursor: "yesterday" });
    expect(refused).toMatchObject({ code: "INVALID_INPUT", details: { field: "cursor" } });
  });

  it("alone picks the layer, and what it is about is the project", async () => {
    const agent = anAgent(fixture);
    const answer = await agent.remember({
      content: "a numbat bites",
      category: "bug",
      layer: undefined,
      entity_name: undefined,
      entity_kind: undefined,
    });
    expect(answer).toMatchObject({ layer: "realize" });
    const [memory] = (await agent.recall({ ids: [answer.memory_id] })).memories;
    expect(memory?.entity).toMatchObject({ name: agent.caller.project?.split("/").at(-1), kind: "project" });
  });

  it("is taken in the words of other systems", async () => {
    const agent = anAgent(fixture);
    const answer = (await agent.call("chest_remember", {
      observation: "tabs, not spaces",
      category: "pitfall",
      topics: ["style"],
      importance: "critical",
      scope: "task:lint",
    })) as { readonly memory_id: number };
    expect(answer).toMatchObject({ layer: "realize", pinned: true });
    const { memories } = await agent.recall({ ids: [answer.memory_id], format: "raw" });
    expect(memories).toMatchObject([{ category: "bug", tags: ["style", "task:lint"], visibility: "project" }]);
    expect((await agent.recall({ topics: ["style"] })).memories).toMatchObject([{ id: answer.memory_id }]);
    expect((await agent.recall({ query: "tabs", type: "bugfix" })).memories).toMatchObject([{ id: answer.memory_id }]);
    expect((await agent.recall({ query: "tabs", type: "decision" })).memories).toEqual([]);
    expect((await agent.recall({ query: "tabs", min_importance: "critical" })).memories).toHaveLength(1);
    const elsewhere = { ...agent.caller, project: "host/org/another-place" };
    const there = anAgent(fixture, elsewhere);
    expect((await there.recall({ query: "tabs", all_projects: false })).memories).toEqual([]);
    expect((await there.recall({ query: "tabs", all_projects: "true" })).memories).toHaveLength(1);
    const onFile = await agent.store("the formatter rules here", { type: "convention", files: ["biome.json"] });
    expect(await agent.call("chest_recall_file", { file: "biome.json" })).toMatchObject({
      linked_memories: [{ id: onFile }],
    });
  });

  it("grows where the same words come again, and keeps what somebody said of them", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("the gate is narrow", { evidence: ["seen once"], title: "Gate" });
    const again = await agent.remember({
      content: "the gate is narrow",
      evidence: ["seen once", "and again"],
      title: "Door",
      confidence: 0.9,
    });
    expect(again).toMatchObject({ action: "merged", memory_id: id });
    const { memories } = await agent.recall({ ids: [id], format: "raw" });
    expect(memories).toMatchObject([
      { title: "Gate", evidence: ["seen once", "and again"], confidence: 0.9, version: 2 },
    ]);
  });

  it("under a name is one memory, which the same name updates; in another place it is another", async () => {
    const agent = anAgent(fixture);
    const named = { name: "deploy", importance: 0.7 };
    const id = await agent.store("deploy on Monday", named);
    const again = await agent.remember({ content: "deploy on Tuesday", name: "deploy" });
    expect(again).toMatchObject({ memory_id: id, action: "updated" });
    const { memories } = await agent.recall({ ids: [id], format: "raw" });
    expect(memories).toMatchObject([{ content: "deploy on Tuesday", importance: 0.7, version: 2, name: "deploy" }]);
    const own = await agent.remember({ content: "deploy on Friday", name: "deploy", visibility: "private" });
    expect(own).toMatchObject({ action: "created" });
    await agent.forget({ memory_id: id });
    const next = await agent.remember({ content: "deploy never", name: "deploy" });
    expect(next).toMatchObject({ action: "created" });
    expect(await agent.update({ memory_id: id, archived: false })).toMatchObject({ ok: true });
    const both = await agent.recall({ ids: [id, next.memory_id], format: "raw" });
    expect(both.memories).toMatchObject([{ name: null }, { name: "deploy" }]);
  });

  it("can be corrected, each change a version that tells what it was", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("the bridge holds", {
      title: "Bridge",
      evidence: ["one", "two"],
      category: "discovery",
    });
    const answer = await agent.update({
      memory_id: id,
      title: "Old bridge",
      category: "bug",
      confidence: 0.3,
      certainty: "uncertain",
      add_evidence: ["three"],
      remove_evidence: ["one"],
    });
    expect(answer.updated_fields).toEqual([
      "title",
      "category",
      "confidence",
      "certainty",
      "add_evidence",
      "remove_evidence",
    ]);
    const [now, was] = (await agent.inspect({ view: "history", id })).items;
    expect(now).toMatchObject({ title: "Old bridge", evidence: ["two", "three"], confidence: 0.3, category: "bug" });
    expect(was).toMatchObject({ title: "Bridge", evidence: ["one", "two"], confidence: 0.8, category: "discovery" });
    expect(await agent.find("old bridge")).toEqual([id]);
    await agent.update({ memory_id: id, title: "" });
    expect(await agent.find("old")).toEqual([]);
  });
}
