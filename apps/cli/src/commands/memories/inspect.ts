import { inspect as inspectTool } from "@chest/core/tools";
import { VIEW_NAMES } from "@chest/core/views";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { toolFlags } from "../../terminal/schema-flags.ts";
import { UsageError } from "../../terminal/usage.ts";

const FLAGS = toolFlags(inspectTool, {
  without: ["view"],
  names: { session_id: "session" },
  words: {
    tag: "Of tag",
    before: "Of timeline: how many before it",
    after: "Of timeline: how many after it",
    limit: "At most this many",
    offset: "From here on",
  },
});

export const inspect = defineCommand({
  meta: { name: "inspect", description: "Look at what is stored, by one of its views" },
  args: {
    view: { type: "positional", description: VIEW_NAMES.join(", "), required: true },
    ...FLAGS.args,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    if (!(VIEW_NAMES as readonly string[]).includes(args.view)) {
      throw new UsageError(`there is no view \`${args.view}\``, `use one of ${VIEW_NAMES.join(", ")}`);
    }
    const input = { view: args.view, ...FLAGS.read(args) };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
    return 0;
  },
});
