import { aDesk, aHouse, memoryEngine } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { LAYERS } from "../memory/layer.ts";

describe("the arguments", () => {
  const house = aHouse(async ({ clock }) => memoryEngine({ clock }));

  it.each([
    ["chest_recall", "query", ""],
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
    ["chest_recall", "include_superseded", null],
    ["chest_recall", "ignore_decay", "yes"],
    ["chest_recall", "snippet_mode", 1],
    ["chest_recall", "snippet_window", 39],
    ["chest_recall", "snippet_window", 2001],
    ["chest_recall", "ids", []],
    ["chest_recall", "ids", [0]],
    ["chest_recall", "ids", ["7"]],
    ["chest_recall", "ids", Array.from({ length: 201 }, (_, i) => i + 1)],
    ["chest_recall", "tags", ["a b"]],
    ["chest_update_memory", "memory_id", "1"],
    ["chest_update_memory", "memory_id", 0],
    ["chest_update_memory", "memory_id", 1.5],
    ["chest_update_memory", "content", ""],
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
    ["chest_forget", "memory_id", "9"],
    ["chest_forget", "memory_id", -9],
    ["chest_forget", "dry_run", "true"],
    ["chest_forget", "interactive", 1],
    ["chest_consolidate", "scope", "everything"],
    ["chest_consolidate", "min_age_days", -1],
    ["chest_consolidate", "min_age_days", "7"],
    ["chest_consolidate", "dry_run", "true"],
    ["chest_consolidate", "use_llm", 1],
  ])("%s refuses %s %j and names it", async (tool, name, value) => {
    const desk = aDesk(house);
    const memory_id = await desk.store("a fact");
    const rest = { chest_recall: { query: "fact" }, chest_update_memory: { memory_id, importance: 0.5 } };
    const fitting = tool === "chest_forget" ? { memory_id } : (rest[tool as keyof typeof rest] ?? {});
    const refusal = await desk.refused(tool, { ...fitting, [name]: value });
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(JSON.stringify(refusal.details?.issues)).toContain(`"path":"${name}`);
  });

  it.each([
    ["chest_recall", { query: "fact", limit: 200, offset: 0, max_tokens: 1, snippet_window: 40 }],
    ["chest_recall", { query: "fact", limit: 1, max_tokens: 2 ** 40, snippet_window: 2000, tags: [] }],
    ["chest_recall", { ids: Array.from({ length: 200 }, (_, i) => i + 1) }],
    ["chest_list_entities", { min_memories: 0, limit: 200, offset: 1_000_000, kind: "other", project: "*" }],
  ])("%s takes %j", async (tool, input) => {
    await expect(aDesk(house).call(tool, input)).resolves.toMatchObject({ ok: true });
  });

  it("a recall wants a query, ids or an entity", async () => {
    const refusal = await aDesk(house).refused("chest_recall", { layer: "goal" });
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "query", accepted: ["query", "entity_name", "ids"] },
      hint: expect.stringContaining("`query`"),
    });
  });

  it.each(["chest_recall", "chest_update_memory"])("an unknown layer is refused by %s with the six", async (tool) => {
    const desk = aDesk(house);
    const memory_id = await desk.store("a fact");
    const input = tool === "chest_recall" ? { query: "fact" } : { memory_id };
    const refusal = await desk.refused(tool, { ...input, layer: "lesson" });
    expect(refusal).toMatchObject({
      code: "INVALID_INPUT",
      details: { field: "layer", given: "lesson", known: LAYERS },
    });
  });

  it("an update refuses blank and too long content alike with remember", async () => {
    const desk = aDesk(house);
    const memory_id = await desk.store("a fact");
    const long = await desk.refused("chest_update_memory", { memory_id, content: "x".repeat(8001) });
    expect(long).toMatchObject({ code: "VALIDATION_ERROR", details: { limit: 8000, actual: 8001 } });
    expect(long.message).toMatch(/content.*8001.*8000/);
    expect(await desk.refused("chest_update_memory", { memory_id, content: " \n" })).toMatchObject({
      code: "VALIDATION_ERROR",
    });
    expect(await desk.update({ memory_id, content: "x".repeat(8000) })).toMatchObject({ ok: true });
    const nothing = await desk.refused("chest_update_memory", { memory_id });
    expect(nothing).toMatchObject({
      code: "INVALID_INPUT",
      details: { accepted: expect.arrayContaining(["content"]) },
    });
  });
});
