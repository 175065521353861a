import { listedInput } from "@chest/core";
import { z } from "zod";

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** A tool's arguments as JSON Schema: nothing else is accepted. */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  return { ...toJsonSchema(listedInput(schema), "input"), type: "object", additionalProperties: false };
}

/** A tool's answer as JSON Schema: open, so that a newer backend may say more. */
export function outputSchema(schema: z.ZodObject): JsonSchema {
  return { ...toJsonSchema(schema, "output"), type: "object" };
}

function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): Record<string, unknown> {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => trim(jsonSchema) });
  return json;
}

/** Takes out what every agent would read, and pay for, without learning anything. */
function trim(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.additionalProperties;
}
