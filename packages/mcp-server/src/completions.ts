import { type Call, type Executor, LAYERS } from "@chest/core";
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Answering, onRequest } from "./requests.ts";
import type { Surface } from "./server.ts";

const MAX_VALUES = 100;
const MOST_ACTIVE = 200;
const NAMES_OF_ENTITIES: ReadonlySet<string> = new Set(["name", "entity_name", "entity_hint"]);

/** Layers, and the names of the most active entities, for whoever fills in an argument. */
export function addCompletions(server: Answering, { executor, callFor }: Pick<Surface, "executor" | "callFor">): void {
  onRequest(server, CompleteRequestSchema, async ({ params: { argument } }, extra) => {
    const all = await valuesFor(argument.name, executor, callFor(extra));
    const typed = argument.value.toLowerCase();
    const values = all.filter((value) => value.toLowerCase().includes(typed));
    const hasMore = values.length > MAX_VALUES;
    return { completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore } };
  });
}

async function valuesFor(argument: string, executor: Executor, call: Call): Promise<readonly string[]> {
  if (argument === "layer") return LAYERS;
  if (!NAMES_OF_ENTITIES.has(argument)) return [];
  try {
    const { entities } = await executor.execute("chest_list_entities", { limit: MOST_ACTIVE }, call);
    return (entities as readonly { readonly name: string }[]).map(({ name }) => name);
  } catch {
    return []; // Nobody waits for a completion: without a store there is none.
  }
}
