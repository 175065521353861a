import { text } from "node:stream/consumers";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench, type Workbench } from "../../connect/tools.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { UsageError } from "../../terminal/usage.ts";

export const remember = defineCommand({
  meta: { name: "remember", description: "Save one lasting fact" },
  args: {
    content: { type: "positional", description: "In quotes; `-` reads it from stdin", required: true },
    entity: { type: "string", description: "What it is about; the project by default", valueHint: "name" },
    kind: { type: "string", description: "Its kind: project, file, person, …; project by default", valueHint: "kind" },
    layer: {
      type: "string",
      description: "Its layer: learning, realize, goal, …; learning where no category tells",
      valueHint: "layer",
    },
    category: {
      type: "string",
      description: "Its kind of knowledge: decision, bug, convention, …",
      valueHint: "category",
    },
    title: { type: "string", description: "A short name to list it by", valueHint: "text" },
    tags: { type: "string", description: "Separated by commas", valueHint: "a,b" },
    files: { type: "string", description: "Paths that it is about, separated by commas", valueHint: "path,…" },
    source: {
      type: "string",
      description: "Files here that it comes from, separated by commas",
      valueHint: "path:line",
    },
    importance: { type: "string", description: "0 to 1; 0.9 and more is pinned", valueHint: "0.5" },
    visibility: { type: "string", description: "private, project or team", valueHint: "who" },
    project: {
      type: "string",
      description: "Key of the project it is for; without it, the whole team",
      valueHint: "key",
    },
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const write = async ({ execute }: Workbench) =>
      execute("chest_remember", {
        content: args.content === "-" ? (await text(process.stdin)).trim() : args.content,
        ...(args.entity === undefined ? {} : { entity_name: args.entity, entity_kind: "project" }),
        ...(args.kind === undefined ? {} : { entity_kind: args.kind }),
        ...layerOf(args),
        ...(args.title === undefined ? {} : { title: args.title }),
        ...(args.tags === undefined ? {} : { tags: listOf(args.tags) }),
        ...(args.files === undefined ? {} : { files: listOf(args.files) }),
        ...(args.source === undefined ? {} : { source: args.source }),
        ...(args.importance === undefined ? {} : { importance: readShare(args.importance) }),
        ...(args.visibility === undefined ? {} : { visibility: args.visibility }),
        ...(args.project === undefined ? {} : { project: args.project }),
      });
    const stored = await atWorkbench(readConfig(env, args), undefined, write, { mayMake: true });
    output.say(`#${stored.memory_id} ${stored.action}`);
    output.document(stored);
    return 0;
  },
});

/** Chooses the layer from the category, unless a layer is named as well. */
function layerOf({ layer, category }: { readonly layer?: string | undefined; readonly category?: string | undefined }) {
  if (category === undefined) return { layer: layer ?? "learning" };
  return layer === undefined ? { category } : { category, layer };
}

function readShare(value: string): number {
  if (/^(0?\.\d+|0|1|1\.0+|0\.\d+)$/.test(value)) return Number(value);
  throw new UsageError(`\`--importance ${value}\` is not a number from 0 to 1`, "leave it out for 0.5");
}
