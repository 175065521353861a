import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { noMemory, type ShownMemory, showMemory } from "../../render/memory.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { MANY, readIds } from "../../terminal/usage.ts";

export const show = reachingCommand({
  meta: { name: "show", description: "Show whole memories, by id" },
  args: {
    ids: { type: "positional", description: "Ids, separated by blanks or commas", required: true, valueHint: MANY },
  },
  async run(args, { env, output }) {
    const ids = readIds(args._.join(","));
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) =>
      execute("chest_recall", {
        ids,
        mark_accessed: false,
        max_tokens: 6000,
        limit: 200,
        include_archived: true,
        include_superseded: true,
      }),
    );
    const memories = found.memories as readonly ShownMemory[];
    const missing = ids.filter((id) => !memories.some((memory) => memory.id === id));
    if (memories.length === 0) {
      throw noMemory(ids.join(", "));
    }
    for (const memory of memories) showMemory(output, memory);
    if (missing.length > 0) output.say(`not found, or too much for one answer: ${missing.join(", ")}`);
    output.document(found);
    return missing.length > 0 ? 1 : 0;
  },
});
