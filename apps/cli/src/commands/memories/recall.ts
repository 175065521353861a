import { recall as recallTool } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { type ShownMemory, showMemory } from "../../render/memory.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { toolFlags } from "../../terminal/schema-flags.ts";

const FLAGS = toolFlags(recallTool, {
  without:
    "query ids max_tokens token_budget mark_accessed include_archived include_superseded format explain snippet_mode snippet_window with_related cursor".split(
      " ",
    ),
  names: { entity_name: "entity" },
  words: {
    layer: "Only this layer",
    category: "Only this category, such as `decision` or `skill`",
    limit: "At most this many",
    journal: "Include what was noted of sessions: requests, edits, commands",
    offset: "From here on",
    min_importance: "Only what is at least this important",
    min_confidence: "Only what is at least this certain",
  },
});

export const recall = reachingCommand({
  meta: { name: "recall", description: "Find memories by words or a question; does not count as a use" },
  args: {
    query: { type: "positional", description: "In quotes: words, a question, an identifier", required: true },
    ...FLAGS.args,
    archived: { type: "boolean", description: "Include archived memories" },
  },
  async run(args, { env, output }) {
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) =>
      execute("chest_recall", {
        query: args.query,
        limit: 10,
        max_tokens: 6000,
        mark_accessed: false,
        ...FLAGS.read(args),
        ...(args.archived === true ? { include_archived: true, include_superseded: true } : {}),
      }),
    );
    const memories = found.memories as readonly ShownMemory[];
    for (const memory of memories) showMemory(output, memory);
    const weak = (found.weak ?? []) as readonly ShownMemory[];
    if (memories.length === 0) output.say(weak.length > 0 ? "nothing answers it; the nearest:" : "nothing was found");
    for (const memory of weak) showMemory(output, memory);
    output.document(found);
  },
});
