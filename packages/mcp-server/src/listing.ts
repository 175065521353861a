import type { AnyTool } from "@chest/core";
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { inputSchema, outputSchema } from "./json-schema.ts";

const listings = new WeakMap<readonly AnyTool[], ListedTool[]>();

/** The catalogue as `tools/list` shows it; computed once for a list of tools, since it never changes. */
export function listTools(tools: readonly AnyTool[]): ListedTool[] {
  const known = listings.get(tools);
  if (known) return known;
  const listing = tools.map(describe);
  listings.set(tools, listing);
  return listing;
}

function describe({ name, title, description, input, output, effects }: AnyTool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: inputSchema(input),
    outputSchema: outputSchema(output),
    annotations: {
      title,
      readOnlyHint: effects.readOnly,
      destructiveHint: effects.destructive,
      idempotentHint: effects.idempotent,
      openWorldHint: effects.openWorld,
    },
  };
}
