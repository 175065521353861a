import { listedInput } from "@chest/core/tool";
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** A tool's arguments as JSON Schema. Open: hosts add arguments of their own to a call, which have no effect. */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  return { ...toJsonSchema(listedInput(schema), "input"), type: "object", additionalProperties: true };
}

/** The first place in a catalogue of long words that several arguments share: lists of what is taken, explanations. */
export type ShownWords = Map<string, { readonly tool: string; readonly argument: string }>;

/**
 * The same as an agent reads it. A refusal tells what no agent comes near, such as the longest title; what is off unless
 * it is set needs no word for it; and what is long and the same is shown once in a catalogue.
 */
export function listedInputSchema(schema: z.ZodObject, tool: string, shown: ShownWords): JsonSchema {
  const { properties = {}, ...json } = inputSchema(schema) as JsonSchema & Schema;
  const brief = Object.entries(properties).map(([name, of]) => [name, shownOnce(briefly(of), name, tool, shown)]);
  return { ...json, properties: Object.fromEntries(brief) };
}

/** A tool's answer as an agent reads it beforehand: that it went well. The text of an answer says the rest. */
export function listedOutputSchema(): JsonSchema {
  return { type: "object", properties: { ok: { const: true } }, required: ["ok"] };
}

/**
 * A tool's answer as JSON Schema: open, so that a newer backend may say more, and one level deep. What is inside its lists
 * an agent sees in the answer; every agent would pay for reading it beforehand. The REST document has all of it.
 */
export function outputSchema(schema: z.ZodObject): JsonSchema {
  const { properties, ...json } = toJsonSchema(schema, "output");
  const shallow = Object.entries(properties ?? {}).map(([name, of]) => [name, withoutDepth(of)]);
  return { ...json, type: "object", properties: Object.fromEntries(shallow) };
}

type Schema = z.core.JSONSchema.BaseSchema;
type Property = z.core.JSONSchema._JSONSchema;

function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): Schema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
  return json;
}

function withoutDepth(schema: Property): Property {
  if (typeof schema === "boolean") return schema;
  const { properties, required, items, ...own } = schema;
  // Clients warn about a schema whose `type` is a list. Without `type` a schema accepts `null` as well.
  if (Array.isArray(own.type)) delete own.type;
  return items === undefined || Array.isArray(items) ? own : { ...own, items: withoutDepth(items) };
}

const LONG = 60;

/** A property without the words that an earlier one shows already: it says where instead. */
function shownOnce(property: Property, argument: string, tool: string, shown: ShownWords): Property {
  if (typeof property === "boolean") return property;
  const own = { ...property };
  const told: string[] = [];
  for (const name of ["description", "enum"] as const) {
    const words = JSON.stringify(own[name] ?? "");
    if (words.length < LONG) continue;
    const first = shown.get(words);
    if (first) {
      told.push(`as \`${first.argument}\` of ${first.tool}`);
      delete own[name];
    } else shown.set(words, { tool, argument });
  }
  if (told.length === 0) return own;
  return { ...own, description: [own.description, ...told].filter(Boolean).join("; ") };
}

function briefly(property: Property): Property {
  if (typeof property === "boolean") return property;
  const { minLength, maxLength, minItems, maxItems, pattern, propertyNames, default: usual, ...own } = property;
  if (own.maximum === undefined) delete own.minimum;
  const { items, properties } = own;
  return {
    ...own,
    ...(usual === undefined || usual === false ? {} : { default: usual }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: briefly(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, briefly(of)])),
    }),
  };
}

const FOR_OUR_PROGRAMS = ["feature", "emptyClears", "chooses"];

/** Takes out what every agent would read, and pay for, without learning anything. */
function trim(schema: Schema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.type === "integer" && schema.exclusiveMinimum === 0) {
    delete schema.exclusiveMinimum;
    schema.minimum = 1;
  }
  if (schema.const !== undefined) delete schema.type;
  for (const ours of FOR_OUR_PROGRAMS) delete schema[ours];
  delete schema.additionalProperties;
}
