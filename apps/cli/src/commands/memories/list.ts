import { listEntities } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { type ShownMemory, showMemory } from "../../render/memory.ts";
import { PROJECT, reachingCommand } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { counted } from "../../terminal/parse-numbers.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { UsageError } from "../../terminal/usage.ts";

const FLAGS = someFlags(listEntities.input, { limit: { words: "At most this many", usual: "50" }, project: {} });

interface ListedEntity {
  readonly name: string;
  readonly kind: string;
  readonly memory_count: number;
  readonly pinned_count: number;
}

export const list = reachingCommand({
  meta: { name: "list", description: "List entities; or the memories of an entity, of a layer, or the most used" },
  args: {
    entity: { type: "string", description: "Its memories, newest first", valueHint: "name" },
    layer: { type: "string", description: "The memories of this layer, newest first", valueHint: "layer" },
    hot: { type: "boolean", description: "Memories by use" },
    recent: { type: "boolean", description: "Memories used in the last seven days" },
    ...FLAGS.args,
    ...PROJECT,
  },
  async run(args, { env, output }) {
    const input = FLAGS.read(args);
    const view = viewOf(args);
    // Without a project, the list covers all projects that the caller may open.
    const place = args.project === "*" ? undefined : args.project;
    const found = await atWorkbench(readConfig(env, args), place, ({ execute, read }) =>
      view ? read(`memory://${view}?limit=${input.limit}`) : execute("chest_list_entities", input),
    );
    if (view) showMemories(output, found);
    else showEntities(output, found);
    output.document(found);
  },
});

function viewOf({ entity, layer, hot, recent }: Readonly<Record<string, unknown>>): string | undefined {
  const views = [
    ...(entity ? [`entity/${encodeURIComponent(String(entity))}`] : []),
    ...(layer ? [`layer/${encodeURIComponent(String(layer))}`] : []),
    ...(hot ? ["hot"] : []),
    ...(recent ? ["recent"] : []),
  ];
  if (views.length <= 1) return views[0];
  throw new UsageError(
    "`list` takes one of `--entity`, `--layer`, `--hot` and `--recent`",
    "`chest-index recall WORDS --entity NAME --layer LAYER` narrows by more than one",
  );
}

function showMemories(output: Output, found: Record<string, unknown>): void {
  const memories = found.memories as readonly ShownMemory[];
  for (const memory of memories) showMemory(output, memory);
  if (memories.length === 0) output.say("nothing found");
  sayRest(output, Number(found.total) - memories.length);
}

function showEntities(output: Output, found: Record<string, unknown>): void {
  const entities = found.entities as readonly ListedEntity[];
  output.rows(
    entities.map(({ name, kind, memory_count, pinned_count }) => [
      name,
      kind,
      counted(memory_count, "memory", "memories"),
      pinned_count > 0 ? `${pinned_count} pinned` : "",
    ]),
  );
  if (entities.length === 0) output.say("nothing is known yet");
  sayRest(output, Number(found.total) - entities.length);
}

function sayRest(output: Output, rest: number): void {
  if (rest > 0) output.say(`${rest} more: \`--limit\` raises the number`);
}
