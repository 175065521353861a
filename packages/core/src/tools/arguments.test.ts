import { anAgent, engineFixture, testEngine } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { normalizeArguments } from "../arguments/normalize-arguments.ts";
import { LAYERS } from "../memory/layer.ts";

describe("the arguments", () => {
  const fixture = engineFixture(({ clock }) => testEngine({ clock }));

  it.each([
    ["chest_recall", "query", 5],
    ["chest_recall", "entity_name", 5],
    ["chest_recall", "layer", 5],
    ["chest_recall", "band", "lukewarm"],
    ["chest_recall", "max_tokens", 0],
    ["chest_recall", "max_tokens", 10.5],
    ["chest_recall", "limit", 0],
    ["chest_recall", "limit", 201],
    ["chest_recall", "offset", -1],
    ["chest_recall", "mark_accessed", "no"],
    ["chest_recall", "include_archived", 1],
    ["chest_recall", "ignore_decay", "yes"],
    ["chest_recall", "snippet_mode", 1],
    ["chest_recall", "snippet_window", 39],
    ["chest_recall", "snippet_window", 2001],
    ["chest_recall", "ids", [0]],
    ["chest_recall", "ids", Array.from({ length: 201 }, (_, i) => i + 1)],
    ["chest_recall", "tags", ["a b"]],
    ["chest_recall", "limit", "ten"],
    ["chest_recall", "category", "gossip"],
    ["chest_recall", "min_confidence", 2],
    ["chest_inspect", "view", "everything"],
    ["chest_recall", "since", ["2026-11-22"]],
    ["chest_recall", "until", {}],
    ["chest_work", "id", ["3"]],
    ["chest_remember", "closes_work", [{}]],
    ["chest_inspect", "limit", 201],
    ["chest_inspect", "id", 0],
    ["chest_recall", "limit", "0x10"],
    ["chest_recall", "limit", "5 or 6"],
    ["chest_recall", "mark_accessed", "maybe"],
    ["chest_recall", "ids", "7, eight"],
    ["chest_recall", "ids", "{}"],
    ["chest_update_memory", "memory_id", null],
    ["chest_update_memory", "memory_id", "1.5"],
    ["chest_update_memory", "memory_id", 0],
    ["chest_update_memory", "memory_id", 1.5],
    ["chest_update_memory", "importance", 2],
    ["chest_update_memory", "importance", Number.NaN],
    ["chest_update_memory", "layer", false],
    ["chest_update_memory", "expected_version", 0],
    ["chest_update_memory", "add_tags", ["a b"]],
    ["chest_update_memory", "remove_tags", [7]],
    ["chest_list_entities", "kind", "animal"],
    ["chest_list_entities", "min_memories", -1],
    ["chest_list_entities", "limit", 0],
    ["chest_list_entities", "limit", 201],
    ["chest_list_entities", "offset", -1],
    ["chest_list_entities", "offset", 2 ** 53],
    ["chest_forget", "memory_id", -9],
    ["chest_forget", "interactive", 1],
    ["chest_consolidate", "scope", "everything"],
    ["chest_consolidate", "min_age_days", -1],
    ["chest_consolidate", "use_llm", 1],
  ])("%s refuses %s %j and names it", async (tool, name, value) => {
    const agent = anAgent(fixture);
    const memory_id = await agent.store("a fact");
    const rest = {
      chest_inspect: { view: "recent" },
      chest_recall: { query: "fact" },
      chest_update_memory: { memory_id, importance: 0.5 },
    };
    const fitting = tool === "chest_forget" ? { memory_id } : (rest[tool as keyof typeof rest] ?? {});
    const refusal = await agent.refused(tool, { ...fitting, [name]: value });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(JSON.stringify(refusal.details?.issues)).toContain(`"path":"${name}`);
  });

  it.each([
    ["chest_recall", { query: "fact", limit: 200, offset: 0, max_tokens: 1, snippet_window: 40 }],
    ["chest_recall", { query: "fact", limit: 1, max_tokens: 2 ** 40, snippet_window: 2000, tags: [] }],
    ["chest_recall", { ids: Array.from({ length: 200 }, (_, i) => i + 1) }],
    ["chest_list_entities", { min_memories: 0, limit: 200, offset: 1_000_000, kind: "other", project: "*" }],
  ])("%s takes %j", async (tool, input) => {
    await expect(anAgent(fixture).call(tool, input)).resolves.toMatchObject({ ok: true });
  });

  it.each([
    ["chest_recall", { query: null, entity_name: "", ids: [], tags: null, layer: "", since: null, format: "" }],
    ["chest_update_memory", { content: "", layer: null, add_tags: [], remove_tags: "", importance: null }],
  ])("empty ones of %s are left out: with nothing else it says what it wants", async (tool, empty) => {
    const agent = anAgent(fixture);
    const memory_id = await agent.store("a fact");
    const refusal = await agent.refused(tool, tool === "chest_recall" ? empty : { memory_id, ...empty });
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { accepted: expect.any(Array) } });
  });

  it("empty ones are left out beside those that are given", async () => {
    const agent = anAgent(fixture);
    const empty = { entity_key: "", importance: null, tags: [], supersedes: "", expires_at: null, project: "" };
    const id = await agent.store("the kettle boils at noon", empty);
    const { memories } = await agent.recall({ query: "kettle", layer: null, ids: [], band: "", limit: "", until: "" });
    expect(memories).toMatchObject([{ id, importance: 0.5 }]);
    expect(await agent.update({ memory_id: id, content: "", importance: 0.6 })).toMatchObject({
      updated_fields: ["importance", "protected"],
    });
    expect(await agent.forget({ memory_id: id, dry_run: null })).toMatchObject({ archived: 1 });
  });

  it.each([
    ["query", ""],
    ["query", null],
    ["memory_id", null],
    ["ids", []],
    ["tags", []],
    ["tags", ""],
    ["before", ""],
    ["conversation_id", null],
    ["text", ""],
  ])("chest_forget sweeps nothing where %s is %j: it refuses and names it", async (name, value) => {
    const agent = anAgent(fixture);
    for (const how of [{}, { dry_run: true }, { confirm: true }]) {
      const refusal = await agent.refused("chest_forget", { [name]: value, ...how });
      expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", details: { issues: [{ path: name }] } });
    }
  });

  it("chest_forget sweeps for a client that fills in every argument only where a preview or `confirm` says so", async () => {
    const agent = anAgent(fixture);
    const names = ["memory_id", "ids", "tags", "query", "before", "conversation_id", "text"];
    const filled = Object.fromEntries([...names, "interactive"].map((name) => [name, null]));
    const refusal = await agent.refused("chest_forget", { ...filled, dry_run: null, confirm: null });
    expect(refusal.hint).toContain("`dry_run: true` shows it");
    expect(refusal.details?.issues).toEqual(names.map((path) => ({ path, message: "names nothing" })));
    expect(await agent.forget({ ...filled, dry_run: true, confirm: null })).toMatchObject({ dry_run: true, cap: 200 });
    expect(await agent.forget({ ...filled, dry_run: false, confirm: true })).toMatchObject({
      dry_run: false,
      cap: 200,
    });
    const id = await agent.store("the kettle boils at noon");
    expect(await agent.forget({ ...filled, memory_id: id, dry_run: null })).toMatchObject({ archived: 1 });
  });

  it("one that hosts add, or that is like no other, is ignored and named", async () => {
    const agent = anAgent(fixture);
    const added = { explanation: "to see", task_progress: "- [ ] look", colour: "red" };
    const calls = [
      ["chest_list_entities", {}],
      ["chest_remember", { content: "the quay has six berths", layer: "context" }],
      ["chest_recall", { query: "berths" }],
      ["chest_context", { task: "berths" }],
    ] as const;
    for (const [tool, input] of calls) {
      const answer = await agent.call(tool, { ...input, ...added });
      const message = "`explanation`, `task_progress`, `colour`: no argument of this tool, ignored";
      expect(answer).toMatchObject({ warnings: expect.arrayContaining([{ reason: "arguments_ignored", message }]) });
    }
  });

  it("one that is nearly one of ours is refused with the name that is meant", async () => {
    const agent = anAgent(fixture);
    const mistyped = { projct: "project", limt: "limit", qeury: "query", tokenBudget: "token_budget", sicne: "since" };
    for (const [given, meant] of Object.entries(mistyped)) {
      const { message } = await agent.refused("chest_recall", { tags: ["quay"], [given]: "x" });
      expect(message).toContain(`${given}: is unknown: did you mean \`${meant}\`?`);
    }
  });

  it("more than two hundred are refused without a look at any", async () => {
    const agent = anAgent(fixture);
    let looks = 0;
    const look = {
      enumerable: true,
      get: () => {
        looks += 1;
        return 1;
      },
    };
    const named = Array.from({ length: 60_000 }, (_, nth) => [`qurey${nth}`, look]);
    for (const tool of ["chest_recall", "chest_forget"]) {
      const refused = await agent.refused(tool, Object.defineProperties({}, Object.fromEntries(named)));
      expect(refused.message).toBe("there are 60000 arguments, the limit is 200");
    }
    expect(looks).toBe(0);
    expect(await agent.call("chest_recall", { query: "x", [`query_${"x".repeat(500_000)}`]: 1 })).toMatchObject({
      warnings: [{ reason: "arguments_ignored" }],
    });
  });

  it("one that a deletion does not know is refused: it may have been meant to spare something", async () => {
    const agent = anAgent(fixture);
    const { hint } = await agent.refused("chest_forget", { memory_id: 1, colour: "red" });
    expect(hint).toContain("`memory_id`");
    const pinned = await agent.refused("chest_update_memory", { memory_id: 1, pinned: true });
    expect(pinned.message).toBe("pinned: is unknown: did you mean `importance`?");
    const suggested = await agent.refused("chest_list_entities", { entity_kind: "person" });
    expect([suggested.message, suggested.hint]).toEqual([
      "entity_kind: is unknown: did you mean `kind`?",
      "correct the named arguments and call again",
    ]);
  });

  it("an expiry is taken as a date, too", async () => {
    const agent = anAgent(fixture);
    for (const [given, at] of [
      ["2029-01-02", "2029-01-02T00:00:00Z"],
      ["2029-01-02T10:00:00+09:00", "2029-01-02T01:00:00Z"],
      [" 1861920000 ", "2029-01-01T00:00:00Z"],
    ] as const) {
      const id = await agent.store(`the permit ends, as ${given} says`, { expires_at: given });
      const { memories } = await agent.recall({ ids: [id] });
      expect(memories).toMatchObject([{ expires_at: Date.parse(at) / 1000 }]);
    }
    const refusal = await agent.refused("chest_remember", { content: "the permit ends", expires_at: "next week" });
    expect(refusal.message).toBe("expires_at: is not a time: give unix seconds, or a date such as 2027-01-31");
  });

  it.each(["deploy", ["deploy"], '["deploy", "release"]'])(
    "a trigger written as %j is refused with the form that works",
    async (trigger) => {
      const agent = anAgent(fixture);
      const refusal = await agent.refused("chest_remember", {
        content: "the deploy is slow",
        layer: "learning",
        trigger,
      });
      expect(refusal.hint).toContain('write {"any": ["word", "another"]}');
    },
  );

  it("recalling from a conversation without messages says what they are", async () => {
    const agent = anAgent(fixture);
    const refusal = await agent.refused("chest_conversation", { action: "recall", query: "the deploy" });
    expect(refusal.message).toBe(
      'conversation_id: is missing: an id of your own, or `*` to recall from all; messages: is missing: what is said now, as [{"role": "user", "content": "…"}]',
    );
  });

  it("a link is taken as an object, too, with its id by any name", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("the heron stands");
    for (const to of ["to", "id", "memory_id", "target"]) {
      const id = await agent.store(`the heron flies, by ${to}`, { links: [{ type: "elaborates", [to]: first }] });
      expect(await agent.inspect({ view: "related", id })).toMatchObject({ total: 1 });
    }
  });

  it("numbers, booleans and lists are taken out of text", async () => {
    const agent = anAgent(fixture);
    const first = await agent.store("the heron stands", { importance: " 0.7 ", tags: "pond, bird,, grey" });
    const second = await agent.store("the heron flies", { tags: '["pond"]', force: "True", expires_at: "4102444800" });
    const third = await agent.store("the heron fishes", { tags: "pond", supersedes: `${second}` });

    const found = await agent.recall({ query: "heron", tags: "pond,bird", limit: "5", snippet_mode: "FALSE" });
    expect(found.memories).toMatchObject([{ id: first, importance: 0.7 }]);
    expect(await agent.find("heron", { tags: "pond", include_superseded: "true", sort: "recent" })).toEqual([
      third,
      second,
      first,
    ]);
    for (const ids of [`${first},${third}`, `[${first}, "${third}"]`, [`${first}`, third]])
      expect((await agent.recall({ ids })).memories).toMatchObject([{ id: first }, { id: third }]);
    expect((await agent.recall({ ids: first })).memories).toMatchObject([{ id: first }]);
    expect(await agent.forget({ memory_id: `${first}`, dry_run: "true" })).toMatchObject({ would_archive: first });
  });

  it("an id is taken as an answer cites it, alone and in lists", async () => {
    const agent = anAgent(fixture);
    const [first, second] = [await agent.store("the stork stands"), await agent.store("the stork flies")];
    const cited = `[memory:${first}]`;
    for (const ids of [cited, [cited], `memory:${first}`, [`Memory:${first}`]]) {
      expect((await agent.recall({ ids })).memories).toMatchObject([{ id: first }]);
    }
    expect((await agent.recall({ ids: `${cited}, [memory:${second}]` })).memories).toMatchObject([
      { id: first },
      { id: second },
    ]);
    expect(await agent.update({ memory_id: cited, content: "the stork sleeps" })).toMatchObject({ memory_id: first });
    expect(await agent.inspect({ view: "history", id: cited })).toMatchObject({ ok: true });
    await agent.store("the stork is gone", { supersedes: [cited, `memory:${second}`] });
    expect(await agent.find("stork flies")).not.toContain(second);
  });

  it.each([
    ["chest_recall", { query: "fact", limit: "memory:5" }, "limit: is not a number"],
    ["chest_recall", { query: "fact", offset: "[memory:5]" }, "offset: is not a number"],
    ["chest_recall", { ids: ["work:5"] }, "ids.0: is not a number"],
    ["chest_recall", { ids: ["memory:5 and more"] }, "ids.0: is not a number"],
    ["chest_remember", { content: "a fact", layer: "goal", importance: "memory:1" }, "importance: is not a number"],
  ])("%s takes no citation for another number: %j", async (tool, input, message) => {
    expect((await anAgent(fixture).refused(tool, input)).message).toBe(message);
  });

  it("a word of a choice is taken in any case", async () => {
    const agent = anAgent(fixture);
    await agent.store("the crane dances", { entity_name: "crane", entity_kind: "Concept", certainty: " Definite" });
    expect((await agent.list({ kind: "CONCEPT" })).entities).toMatchObject([{ name: "crane" }]);
    expect(await agent.inspect({ view: "Stats" })).toMatchObject({ ok: true });
  });

  it("text stays text: neither a number nor a list is read into it", async () => {
    const agent = anAgent(fixture);
    const id = await agent.store("5", { entity_name: "true" });
    await agent.update({ memory_id: id, content: "[1, 2]" });
    expect((await agent.recall({ ids: [id] })).memories).toMatchObject([
      { content: "[1, 2]", entity: { name: "true" } },
    ]);
  });

  it("an argument is taken under the name that agents guess", async () => {
    const agent = anAgent(fixture);
    const { memory_id: id } = await agent.remember({ content: undefined, text: "the ibis wades" });
    expect((await agent.recall({ q: "ibis", top_k: 1 })).memories).toMatchObject([{ id }]);
    for (const given of [{ id }, { memory_id: `${id}` }, { memory_ids: [id] }]) {
      expect((await agent.recall(given)).memories).toMatchObject([{ id }]);
    }
    expect(await agent.call("chest_update_memory", { id, content: "the ibis sleeps" })).toMatchObject({ version: 2 });
    expect(await agent.inspect({ view: "history", memory_id: id })).toMatchObject({ total: 2 });
    expect(await agent.call("chest_recall_file", { path: "src/ibis.ts" })).toMatchObject({
      path_substring: "src/ibis.ts",
    });
    expect(await agent.call("chest_work", { action: "add", title: "feed it", priority: "High" })).toMatchObject({
      items: [{ priority: 1 }],
    });
    expect(await agent.call("chest_context", { query: "ibis", budget: 300 })).toMatchObject({
      budget: 300,
      sections: [{ kind: "task", items: [{ id: `${id}` }] }, { kind: "work" }],
    });
    expect(await agent.call("chest_forget", { id, dry_run: true })).toMatchObject({ would_archive: id });
  });

  it("a tool's own name goes before a guessed one", async () => {
    const agent = anAgent(fixture);
    const memory_id = await agent.store("a fact");
    const twice = await agent.refused("chest_update_memory", { memory_id, id: memory_id, importance: 0.6 });
    expect(twice.details?.issues).toMatchObject([{ path: "id" }]);
    const other = await agent.refused("chest_work", { action: "close", memory_id });
    expect(other.details?.issues).toMatchObject([{ path: "id" }]);
  });

  it("an empty text clears where a tool says so", () => {
    const clearing = { note: z.string().optional().meta({ emptyClears: true }), other: z.string().optional() };
    expect(normalizeArguments(z.object(clearing), { note: "", other: "" })).toEqual({ note: "" });
    expect(normalizeArguments(z.object(clearing), { note: null, other: null })).toEqual({});
  });

  it.each([
    [{}, "memory_id: is missing"],
    [{ memory_id: null }, "memory_id: is missing"],
    [{ memory_id: "one" }, "memory_id: is not a number"],
    [{ memory_id: 1.5 }, "memory_id: is not a whole number"],
    [{ memory_id: 0 }, "memory_id: is not above 0"],
    [{ memory_id: 1, importance: 3 }, "importance: is more than 1"],
    [{ memory_id: -1e300 }, "memory_id: is not above 0"],
    [{ memory_id: 1, layer: 5 }, "layer: is not a text"],
    [{ memory_id: 1, add_tags: { a: 1 } }, "add_tags: is not a list"],
    [{ memory_id: 1, memoryId: 1 }, "memoryId: is unknown: did you mean `memory_id`?"],
    [{ memory_id: 1, expected: 2 }, "expected: is unknown: did you mean `expected_version`?"],
    [{ memory_id: 1, new_tags: [] }, "new_tags: is unknown: did you mean `add_tags`?"],
    [{ memory_id: 1, moved_contents: "" }, "moved_contents: is unknown: did you mean `content`?"],
  ])("what is wrong with %j is said in words", async (input, message) => {
    const refusal = await anAgent(fixture).refused("chest_update_memory", input);
    expect(refusal.message).toBe(message);
    expect(refusal.hint).toMatch(/\w/);
  });

  it("what is missing is named, with what there is to choose from", async () => {
    expect((await anAgent(fixture).refused("chest_remember", {})).message).toBe("content: is missing");
    const about = { content: "a fact", layer: "goal", entity_name: "acme" };
    expect((await anAgent(fixture).refused("chest_remember", about)).message).toBe(
      "entity_kind: is missing: one of `person`, `company`, `project`, `concept`, `file`, `other`",
    );
    expect((await anAgent(fixture).refused("chest_recall", { query: "x", band: "lukewarm" })).message).toBe(
      "band: is not one of `hot`, `warm`, `cold`, `frozen`",
    );
  });

  it("an argument of another name is answered with the one that may be meant", async () => {
    const refusal = await anAgent(fixture).refused("chest_remember", {
      content: "a fact",
      layer: "goal",
      entity: "acme",
    });
    expect(refusal.message).toBe("entity: is unknown: did you mean `entity_name`?");
  });

  it("a recall wants a query, ids, an entity or a filter", async () => {
    const refusal = await anAgent(fixture).refused("chest_recall", { limit: 5 });
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "query", accepted: expect.arrayContaining(["query", "entity_name", "ids", "tags"]) },
      hint: expect.stringContaining("`query`"),
    });
  });

  it.each(["chest_recall", "chest_update_memory"])("an unknown layer is refused by %s with the six", async (tool) => {
    const agent = anAgent(fixture);
    const memory_id = await agent.store("a fact");
    const input = tool === "chest_recall" ? { query: "fact" } : { memory_id };
    const refusal = await agent.refused(tool, { ...input, layer: "lesson" });
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "layer", given: "lesson", known: LAYERS },
    });
  });

  it("an update refuses blank and too long content alike with remember", async () => {
    const agent = anAgent(fixture);
    const memory_id = await agent.store("a fact");
    const long = await agent.refused("chest_update_memory", { memory_id, content: "x".repeat(8001) });
    expect(long).toMatchObject({ code: "VALIDATION_ERROR", details: { limit: 8000, actual: 8001 } });
    expect(long.message).toMatch(/content.*8001.*8000/);
    expect(await agent.refused("chest_update_memory", { memory_id, content: " \n" })).toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect(await agent.update({ memory_id, content: "x".repeat(8000) })).toMatchObject({ ok: true });
    const nothing = await agent.refused("chest_update_memory", { memory_id });
    expect(nothing).toMatchObject({
      code: "INVALID_INPUT",
      details: { accepted: expect.arrayContaining(["content"]) },
    });
  });
});
