import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { type ShownMemory, showMemory } from "../../render/memory.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { readCount } from "../../terminal/parse-numbers.ts";

/** Argument that names the user's project. */
export const PROJECT = {
  project: { type: "string", description: "Key of a project, or `*` for all you may open", valueHint: "key" },
} as const;

export const recall = defineCommand({
  meta: { name: "recall", description: "Find memories by words or a question; does not count as a use" },
  args: {
    query: { type: "positional", description: "In quotes: words, a question, an identifier", required: true },
    ...PROJECT,
    layer: { type: "string", description: "Only this layer", valueHint: "layer" },
    category: {
      type: "string",
      description: "Only this category, such as `decision` or `skill`",
      valueHint: "category",
    },
    entity: { type: "string", description: "Only entities whose name contains this", valueHint: "name" },
    tags: { type: "string", description: "Only with all of these, separated by commas", valueHint: "a,b" },
    since: {
      type: "string",
      description: "Only from this day or time on, or `yesterday`, `last week`, `3d`",
      valueHint: "time",
    },
    until: { type: "string", description: "Only up to this day or time, or `yesterday`, `Monday`", valueHint: "time" },
    limit: { type: "string", description: "At most this many", default: "10", valueHint: "1-200" },
    archived: { type: "boolean", description: "Include archived memories" },
    journal: { type: "boolean", description: "Include what was noted of sessions: requests, edits, commands" },
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) =>
      execute("chest_recall", {
        query: args.query,
        limit: readCount("limit", args.limit, 1, 200),
        max_tokens: 6000,
        mark_accessed: false,
        ...(args.project === undefined ? {} : { project: args.project }),
        ...(args.layer === undefined ? {} : { layer: args.layer }),
        ...(args.category === undefined ? {} : { category: args.category }),
        ...(args.entity === undefined ? {} : { entity_name: args.entity }),
        ...(args.tags === undefined ? {} : { tags: listOf(args.tags) }),
        ...(args.since === undefined ? {} : { since: args.since }),
        ...(args.until === undefined ? {} : { until: args.until }),
        ...(args.journal === true ? { journal: true } : {}),
        ...(args.archived === true ? { include_archived: true, include_superseded: true } : {}),
      }),
    );
    const memories = found.memories as readonly ShownMemory[];
    for (const memory of memories) showMemory(output, memory);
    const weak = (found.weak ?? []) as readonly ShownMemory[];
    if (memories.length === 0) output.say(weak.length > 0 ? "nothing answers it; the nearest:" : "nothing was found");
    for (const memory of weak) showMemory(output, memory);
    output.document(found);
    return 0;
  },
});
