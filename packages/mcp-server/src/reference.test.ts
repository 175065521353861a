import { TOOLS } from "@chest/core/tools";
import { scopeOf } from "@chest/core/wraps";
import { expect, it } from "vitest";
import { inputSchema, outputSchema } from "./json-schema.ts";
import { markdownTable } from "./testing/markdown-table.ts";

type Property = Readonly<Record<string, unknown>>;
interface Schema {
  readonly properties?: object | undefined;
  readonly required?: readonly string[] | undefined;
}

const typeOf = ({ type, enum: values, items, anyOf }: Property): string => {
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(", ");
  if (Array.isArray(anyOf)) return anyOf.map((option: Property) => typeOf(option)).join(" or ");
  return type === "array" ? `${typeOf((items ?? {}) as Property)}[]` : String(type ?? "any");
};

/** Both ends of a range, or the one there is. */
function rangeOf(least: unknown, most: unknown, unit = ""): string[] {
  if (least === undefined && most === undefined) return [];
  if (least === undefined) return [`at most ${most}${unit}`];
  const ofLeast = least === 1 ? unit.replace(/s$/, "") : unit;
  return [most === undefined ? `at least ${least}${ofLeast}` : `${least}–${most}${unit}`];
}

const STATES_A_RANGE = /\d to \d/;

const limitsOf = (property: Property): string =>
  STATES_A_RANGE.test(String(property.description))
    ? ""
    : [
        ...rangeOf(property.minimum, property.maximum),
        ...(property.exclusiveMinimum === undefined ? [] : [`above ${property.exclusiveMinimum}`]),
        ...rangeOf(property.minLength, property.maxLength, " characters"),
        ...rangeOf(property.minItems, property.maxItems, " items"),
      ].join(", ");

function table({ properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties as Record<string, Property>).map(([name, property]) => {
    const given = property.default === undefined ? "" : `\`${JSON.stringify(property.default)}\``;
    const about = [property.description, limitsOf(property)].filter(Boolean).join("; ");
    return [`\`${name}\`${required.includes(name) ? " *" : ""}`, typeOf(property), given, about];
  });
  return markdownTable(["Argument", "Type", "Default", ""], rows);
}

it("is what apps/mcp/docs/tools.md says", async () => {
  const sections = TOOLS.map(({ name, description, input, output, effects, readsOnly }) => {
    const results = Object.keys(outputSchema(output).properties ?? {}).map((key) => `\`${key}\``);
    return [
      `## \`${name}\``,
      "",
      description,
      "",
      `Scope: ${scopeOf({ effects })}${readsOnly ? ", or read for a call that changes nothing" : ""}. ${effects.destructive ? "Destructive. " : ""}${effects.idempotent ? "Idempotent." : "Not idempotent."}`,
      "",
      ...table(inputSchema(input) as Schema),
      "",
      `Answer: ${results.join(", ")}.`,
    ].join("\n");
  });
  const page = [
    "# Tools",
    "",
    "Generated from the tools themselves. `*` marks what is required.",
    "",
    sections.join("\n\n"),
    "",
  ];

  await expect(page.join("\n")).toMatchFileSnapshot("../../../apps/mcp/docs/tools.md");
});
