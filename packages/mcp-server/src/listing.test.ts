import { type AnyTool, defineTool, TOOLS } from "@chest/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { listTools } from "./listing.ts";

it("states all four hints and the title of every tool", () => {
  for (const { annotations, title } of listTools(TOOLS)) {
    expect(annotations).toEqual({
      title,
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
    expect(title).toMatch(/^chest: /);
  }
});

it("has closed inputs and open outputs, both objects at the root and flat", () => {
  for (const { inputSchema, outputSchema } of listTools(TOOLS)) {
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: "object" });
    expect(outputSchema).not.toHaveProperty("additionalProperties");
    expect(JSON.stringify([inputSchema, outputSchema])).not.toMatch(/oneOf|anyOf|"type":\[|\$ref|\$schema/);
  }
});

it("shows what a caller gives, not what the tool makes of it", () => {
  const tool: AnyTool = defineTool({
    name: "chest_example",
    title: "chest: example",
    description: "",
    input: z.object({ limit: z.int().min(1).max(200).default(30), at: z.int(), name: z.string().max(9).optional() }),
    output: z.looseObject({ ok: z.literal(true), count: z.int(), all: z.array(z.object({ id: z.int() })) }),
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run: async () => ({ ok: true as const, count: 0, all: [] }),
    text: () => "",
  });
  const [listed] = listTools([tool]);

  expect(listed?.inputSchema).toEqual({
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1, maximum: 200, default: 30 },
      at: { type: "integer" },
      name: { type: "string", maxLength: 9 },
    },
    required: ["at"],
    additionalProperties: false,
  });
  expect(listed?.outputSchema).toEqual({
    type: "object",
    properties: { ok: { const: true }, count: { type: "integer" }, all: { type: "array", items: { type: "object" } } },
    required: ["ok", "count", "all"],
  });
});

it("is computed once", () => {
  expect(listTools(TOOLS)).toBe(listTools(TOOLS));
});

it("costs an agent at most 4,300 tokens for eight tools, 7,700 for thirteen", ({ annotate }) => {
  const json = JSON.stringify({ tools: listTools(TOOLS) });
  // Tokenizers count 4.1 to 4.3 characters of it as one.
  const tokens = Math.ceil(json.length / 4);
  annotate(`tools/list: ${TOOLS.length} tools, ${json.length} characters, about ${tokens} tokens`);

  expect(tokens).toBeLessThanOrEqual(TOOLS.length <= 8 ? 4300 : 7700);
});

it("costs at most 4,000 tokens as the core set, which lists eight tools and answers all", ({ annotate }) => {
  const listed = listTools(TOOLS, "core");
  const tokens = Math.ceil(JSON.stringify({ tools: listed }).length / 4);
  annotate(`tools/list, core: ${listed.length} tools, about ${tokens} tokens`);
  expect(listed.map(({ name }) => name)).not.toContain("chest_inspect");
  expect(listed).toHaveLength(8);
  expect(tokens).toBeLessThanOrEqual(4000);
});
