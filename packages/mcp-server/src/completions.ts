import type { Call, Executor } from "@chest/core/executor";
import { LAYERS } from "@chest/core/memory";
import { SKILL_TAG } from "@chest/core/resources";
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Answering, onRequest } from "./requests.ts";
import type { Surface } from "./server.ts";

const MAX_VALUES = 100;
const MOST_ACTIVE = 200;
const NAMES_OF_ENTITIES: ReadonlySet<string> = new Set(["name", "entity_name", "entity_hint"]);

const SKILL = "chest://skill/{name}";

/** Layers, names of skills, and those of the most active entities, for a client that fills in an argument. */
export function addCompletions(server: Answering, { executor, callFor }: Pick<Surface, "executor" | "callFor">): void {
  onRequest(server, CompleteRequestSchema, async ({ params: { ref, argument } }, extra) => {
    const isOfSkill = ref.type === "ref/resource" && ref.uri === SKILL;
    const all = await valuesFor(isOfSkill ? SKILL : argument.name, executor, callFor(extra));
    const typed = argument.value.toLowerCase();
    const values = all.filter((value) => value.toLowerCase().includes(typed));
    const hasMore = values.length > MAX_VALUES;
    return { completion: { values: values.slice(0, MAX_VALUES), total: values.length, hasMore } };
  });
}

async function valuesFor(argument: string, executor: Executor, call: Call): Promise<readonly string[]> {
  if (argument === "layer") return LAYERS;
  if (argument !== SKILL && !NAMES_OF_ENTITIES.has(argument)) return [];
  try {
    if (argument === SKILL) {
      const ofSkills = { view: "tags", category: "skill", limit: MOST_ACTIVE };
      const { items } = await executor.execute("chest_inspect", ofSkills, call);
      const tags = (items as readonly { readonly tag: string }[]).map(({ tag }) => tag);
      return tags.filter((tag) => tag.startsWith(SKILL_TAG)).map((tag) => tag.slice(SKILL_TAG.length));
    }
    const { entities } = await executor.execute("chest_list_entities", { limit: MOST_ACTIVE }, call);
    return (entities as readonly { readonly name: string }[]).map(({ name }) => name);
  } catch {
    return []; // A completion is a convenience: without a store there is none.
  }
}
