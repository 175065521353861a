import { inspect } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { PROJECT, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const FLAGS = someFlags(inspect.input, { limit: { words: "At most this many", usual: "50" }, project: {} });

export const tags = reachingCommand({
  meta: { name: "tags", description: "Every tag with its number of memories, or the memories of one" },
  args: {
    tag: { type: "positional", description: "A tag, to list its memories", required: false },
    ...FLAGS.args,
    ...PROJECT,
  },
  async run(args, { env, output }) {
    const { tag } = args;
    const input = { ...(tag === undefined ? { view: "tags" } : { view: "tag", tag }), ...FLAGS.read(args) };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
  },
});
