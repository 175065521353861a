import type { AnyTool } from "@chest/core/tool";
import { isListed, type ToolSet } from "@chest/core/tools";
import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import { listedInputSchema, listedOutputSchema, type ShownWords } from "./json-schema.ts";

const listings = { all: new WeakMap<readonly AnyTool[], ListedTool[]>(), core: new WeakMap() };

/**
 * The catalogue as `tools/list` shows it; computed once for a list of tools, since it never changes. The core set is for
 * agents that pay for every word of it: it has no schemas of answers either.
 */
export function listTools(tools: readonly AnyTool[], set: ToolSet = "all"): ListedTool[] {
  const known = listings[set].get(tools);
  if (known) return known;
  const shown: ShownWords = new Map();
  const listing = tools.filter((tool) => isListed(tool, set)).map((tool) => describe(tool, set, shown));
  listings[set].set(tools, listing);
  return listing;
}

function describe({ name, title, description, input, effects }: AnyTool, set: ToolSet, shown: ShownWords): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: listedInputSchema(input, name, shown),
    ...(set === "core" ? {} : { outputSchema: listedOutputSchema() }),
    annotations: {
      readOnlyHint: effects.readOnly,
      destructiveHint: effects.destructive,
      idempotentHint: effects.idempotent,
      openWorldHint: effects.openWorld,
    },
  };
}
