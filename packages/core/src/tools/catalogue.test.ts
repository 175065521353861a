import { aCall, testExecutor } from "@chest/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listedInput } from "../tool.ts";
import { TOOLS } from "./index.ts";

const EFFECTS = {
  chest_remember: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  chest_recall: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  chest_recall_file: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  chest_update_memory: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  chest_list_entities: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  chest_forget: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  chest_consolidate: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  chest_inspect: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  chest_context: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  chest_verify: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  chest_work: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  chest_conversation: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  chest_read_smart: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
};

/** Every object schema inside a JSON schema. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (schema === null || typeof schema !== "object") return [];
  const own = "type" in schema && schema.type === "object" ? [schema as Record<string, unknown>] : [];
  return [...own, ...Object.values(schema).flatMap(objectsIn)];
}

describe("the catalogue", () => {
  it("holds the tools of the contract, each once, with what they may do to the world", () => {
    expect(Object.fromEntries(TOOLS.map(({ name, effects }) => [name, effects]))).toEqual(EFFECTS);
    expect(TOOLS).toHaveLength(Object.keys(EFFECTS).length);
  });

  describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (_, tool) => {
    const input = z.toJSONSchema(listedInput(tool.input), { io: "input" });

    it("has a title and a description of at most 60 words that says when, and when not", () => {
      expect(tool.title).toMatch(/^chest: /);
      expect(tool.description.split(/\s+/).length).toBeLessThanOrEqual(60);
      expect(tool.description).toMatch(/\bUse |Find /);
    });

    it("takes a flat object and nothing else, without unions", () => {
      expect(input).toMatchObject({ type: "object", additionalProperties: false });
      // Messages, and what is said of each role, are objects.
      expect(objectsIn(input)).toHaveLength(tool.name === "chest_conversation" ? 4 : 1);
      expect(JSON.stringify(input)).not.toMatch(/"(oneOf|anyOf|allOf|\$ref)"/);
    });

    it("answers with an object that a newer backend may add to", () => {
      const output = z.toJSONSchema(tool.output, { io: "output" });
      expect(output).toMatchObject({ type: "object", required: expect.arrayContaining(["ok"]) });
      expect(tool.output.safeParse({ ok: false }).success).toBe(false);
    });

    it("admits the answer of a write that waits in an outbox, if it writes and is not destructive", () => {
      const queued = { ok: true, queued: true, queue_id: "q-1", note: "arrives later" };
      const isQueued = !tool.effects.readOnly && !tool.effects.destructive;
      if (isQueued) expect(tool.output.parse(queued)).toEqual(queued);
    });

    it.each([
      ["no object", null],
      ["a list", []],
      ["a string", "{}"],
      ["a prototype", JSON.parse('{"__proto__": {"polluted": true}}')],
    ])("refuses %s", async (_, input) => {
      const { executor } = await testExecutor();
      await expect(executor.execute(tool.name, input, aCall())).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    });
  });

  it("shows the limits of its arguments where an agent reads them", () => {
    const schema = z.toJSONSchema(TOOLS[0]?.input ?? z.object({}), { io: "input" });
    expect(schema.properties).toMatchObject({
      entity_name: { type: "string", minLength: 1, maxLength: 500 },
      entity_key: { maxLength: 500 },
      content: { type: "string", minLength: 1 },
      importance: { minimum: 0, maximum: 1 },
      supersedes: { maxItems: 1000 },
      tags: { maxItems: 50 },
    });
    expect(schema.required).toEqual(["content"]);
  });

  it("has no other tool, and says which there are", async () => {
    const { executor } = await testExecutor();
    await expect(executor.execute("chest_nothing", {}, aCall())).rejects.toMatchObject({
      code: "UNKNOWN_TOOL",
      details: { known: Object.keys(EFFECTS) },
    });
  });
});
