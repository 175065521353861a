import { listedInput } from "@chest/core";
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** A tool's arguments as JSON Schema: nothing else is accepted. */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  return { ...toJsonSchema(listedInput(schema), "input"), type: "object", additionalProperties: false };
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

function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): Schema {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
  return json;
}

function withoutDepth(schema: z.core.JSONSchema._JSONSchema): z.core.JSONSchema._JSONSchema {
  if (typeof schema === "boolean") return schema;
  const { properties, required, items, ...own } = schema;
  // Clients warn of a list of types; what says no type takes `null` as well.
  if (Array.isArray(own.type)) delete own.type;
  return items === undefined || Array.isArray(items) ? own : { ...own, items: withoutDepth(items) };
}

const FOR_OUR_PROGRAMS = ["feature", "emptyClears"];

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
