import { type AnyTool, defineTool } from "@chest/core/tool";
import { TOOLS } from "@chest/core/tools";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { z } from "zod";
import { listTools } from "./listing.ts";

it("states all four hints and the title of every tool", () => {
  for (const { annotations, title } of listTools(TOOLS)) {
    expect(annotations).toEqual({
      readOnlyHint: expect.any(Boolean),
      destructiveHint: expect.any(Boolean),
      idempotentHint: expect.any(Boolean),
      openWorldHint: expect.any(Boolean),
    });
    expect(title).toMatch(/^chest: /);
  }
});

it("has open inputs and outputs, both objects at the root and flat", () => {
  for (const { inputSchema, outputSchema } of listTools(TOOLS)) {
    expect(inputSchema).toMatchObject({ type: "object", additionalProperties: true });
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
    input: z.object({
      limit: z.int().min(1).max(200).default(30),
      at: z.int(),
      name: z.string().max(9).optional(),
      wide: z.boolean().default(false),
    }),
    output: z.looseObject({ ok: z.literal(true), count: z.int(), all: z.array(z.object({ id: z.int() })) }),
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run: async () => ({ ok: true as const, count: 0, all: [] }),
    text: () => "",
  });
  const [listed] = listTools([tool]);

  // Defaults of switches, and the length of texts, are left to refusals.
  expect(listed?.inputSchema).toEqual({
    type: "object",
    properties: {
      limit: { type: "integer", minimum: 1, maximum: 200, default: 30 },
      at: { type: "integer" },
      name: { type: "string" },
      wide: { type: "boolean" },
    },
    required: ["at"],
    additionalProperties: true,
  });
  expect(listed?.outputSchema).toEqual({ type: "object", properties: { ok: { const: true } }, required: ["ok"] });
});

it("shows long words once, and says where", () => {
  const listed = Object.fromEntries(listTools(TOOLS).map(({ name, inputSchema }) => [name, inputSchema.properties]));
  expect(listed.chest_remember?.category).toMatchObject({ enum: expect.arrayContaining(["decision"]) });
  expect(listed.chest_recall?.category).toEqual({ type: "string", description: "as `category` of chest_remember" });
  expect(listed.chest_inspect?.category).toMatchObject({
    description: expect.stringMatching(/^Of tags.*; as `category`/),
  });
  const core = listTools(TOOLS, "core").map(({ name }) => name);
  for (const [, tool] of JSON.stringify(listTools(TOOLS, "core")).matchAll(/as `\w+` of (\w+)/g))
    expect(core).toContain(tool);
});

it("is computed once", () => {
  expect(listTools(TOOLS)).toBe(listTools(TOOLS));
});

const tokensOf = (shown: unknown) => countTokens(JSON.stringify(shown));

it("costs an agent less than 5,000 tokens", ({ annotate }) => {
  const tools = listTools(TOOLS);
  for (const tool of tools) annotate(`${tool.name}: ${tokensOf(tool)} tokens`);
  annotate(`tools/list: ${tools.length} tools, ${tokensOf({ tools })} tokens`);
  expect(tokensOf({ tools })).toBeLessThan(5000);
});

it("costs less than 3,200 tokens as the core set, which lists eight tools and answers all", ({ annotate }) => {
  const tools = listTools(TOOLS, "core");
  annotate(`tools/list, core: ${tools.length} tools, ${tokensOf({ tools })} tokens`);
  expect(tools.map(({ name }) => name)).not.toContain("chest_inspect");
  expect(tools).toHaveLength(8);
  expect(tokensOf({ tools })).toBeLessThan(3200);
});
