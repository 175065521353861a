import { defineCommand } from "citty";
import { readConfig } from "../config.ts";
import { memoryLines, onOneLine, type ShownMemory } from "../memory-text.ts";
import { readCount } from "../numbers.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../shell.ts";
import { atWorkbench } from "../workbench.ts";
import { PROJECT } from "./recall.ts";

interface ListedEntity {
  readonly name: string;
  readonly kind: string;
  readonly memory_count: number;
  readonly pinned_count: number;
}

export const list = defineCommand({
  meta: { name: "list", description: "What is known about; or the memories of an entity, of a layer, or the hottest" },
  args: {
    entity: { type: "string", description: "Its memories, newest first", valueHint: "name" },
    layer: { type: "string", description: "The memories of this layer, newest first", valueHint: "layer" },
    hot: { type: "boolean", description: "Memories by how much they are in use" },
    recent: { type: "boolean", description: "Memories used in the last seven days" },
    limit: { type: "string", description: "At most so many", default: "50", valueHint: "1-200" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const limit = readCount("limit", args.limit, 1, 200);
    const view = viewOf(args);
    const found = await atWorkbench(readConfig(env, args), args.project, ({ execute, read }) =>
      view
        ? read(`memory://${view}?limit=${limit}`)
        : execute("chest_list_entities", { limit, ...(args.project === undefined ? {} : { project: args.project }) }),
    );
    for (const line of view ? memoriesIn(found) : entitiesIn(found)) output.say(line);
    output.document(found);
    return 0;
  },
});

function viewOf(args: Readonly<Record<string, unknown>>): string | undefined {
  if (args.entity) return `entity/${encodeURIComponent(String(args.entity))}`;
  if (args.layer) return `layer/${encodeURIComponent(String(args.layer))}`;
  if (args.hot) return "hot";
  return args.recent ? "recent" : undefined;
}

function memoriesIn(found: Record<string, unknown>): string[] {
  const memories = found.memories as readonly ShownMemory[];
  const rest = Number(found.total) - memories.length;
  return [
    ...memories.flatMap((memory) => memoryLines(memory)),
    ...(memories.length === 0 ? ["there is none"] : []),
    ...(rest > 0 ? [`${rest} more: \`--limit\``] : []),
  ];
}

function entitiesIn(found: Record<string, unknown>): string[] {
  const entities = found.entities as readonly ListedEntity[];
  const rest = Number(found.total) - entities.length;
  return [
    ...entities.map(({ name, kind, memory_count, pinned_count }) =>
      [onOneLine(name), kind, `${memory_count} memories`, ...(pinned_count > 0 ? [`${pinned_count} pinned`] : [])].join(
        "  ",
      ),
    ),
    ...(entities.length === 0 ? ["nothing is known yet"] : []),
    ...(rest > 0 ? [`${rest} more: \`--limit\``] : []),
  ];
}
