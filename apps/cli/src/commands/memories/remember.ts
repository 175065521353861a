import { text } from "node:stream/consumers";
import { remember as rememberTool } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench, type Workbench } from "../../connect/tools.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { toolFlags } from "../../terminal/schema-flags.ts";

const FLAGS = toolFlags(rememberTool, {
  without: ["content", "links"],
  names: { entity_name: "entity", entity_kind: "kind" },
  words: {
    entity_name: "What it is about; the project by default",
    entity_kind: "Its kind: project, file, person, …; project by default",
    layer: "Its layer: learning, realize, goal, …; learning where no category tells",
    category: "Its kind of knowledge: decision, bug, convention, …",
    title: "A short name to list it by",
    tags: "Separated by commas",
    files: "Paths that it is about, separated by commas",
    source: "Files here that it comes from, separated by commas",
    importance: "0 to 1; 0.9 and more is pinned",
    visibility: "private, project or team",
    project: "Key of the project it is for; without it, the whole team",
    confidence: "How sure it is, 0 to 1",
    certainty: "definite, likely, uncertain or speculative",
    source_type: "code, conversation, manual or inferred",
  },
});

export const remember = reachingCommand({
  meta: { name: "remember", description: "Save one lasting fact" },
  args: {
    content: { type: "positional", description: "In quotes; `-` reads it from stdin", required: true },
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const write = async ({ execute }: Workbench) => {
      const asked = FLAGS.read(args);
      return execute("chest_remember", {
        content: args.content === "-" ? (await text(process.stdin)).trim() : args.content,
        ...(asked.entity_name === undefined ? {} : { entity_kind: "project" }),
        // The category chooses the layer, unless a layer is named as well.
        ...(asked.category === undefined ? { layer: "learning" } : {}),
        ...asked,
      });
    };
    const stored = await atWorkbench(readConfig(env, args), undefined, write, { mayMake: true });
    output.say(`#${stored.memory_id} ${stored.action}`);
    output.document(stored);
  },
});
