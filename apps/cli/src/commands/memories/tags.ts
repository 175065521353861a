import { inspect } from "@chest/core/tools";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { COMMON, type ExitCode, PROJECT, REACH, type Shell } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";

const FLAGS = someFlags(inspect.input, { limit: { words: "At most this many", usual: "50" }, project: {} });

export const tags = defineCommand({
  meta: { name: "tags", description: "Every tag with its number of memories, or the memories of one" },
  args: {
    tag: { type: "positional", description: "A tag, to list its memories", required: false },
    ...FLAGS.args,
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { tag } = args;
    const input = { ...(tag === undefined ? { view: "tags" } : { view: "tag", tag }), ...FLAGS.read(args) };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
    return 0;
  },
});
