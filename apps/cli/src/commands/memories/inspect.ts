import { inspect as inspectTool } from "@chest/core/tools";
import { VIEW_NAMES } from "@chest/core/views";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { toolFlags } from "../../terminal/schema-flags.ts";
import { knownWord } from "../../terminal/usage.ts";

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

export const inspect = reachingCommand({
  meta: { name: "inspect", description: "Look at what is stored, by one of its views" },
  args: {
    view: { type: "positional", description: VIEW_NAMES.join(", "), required: true },
    ...FLAGS.args,
  },
  async run(args, { env, output }) {
    const input = { view: knownWord(args.view, VIEW_NAMES, "view"), ...FLAGS.read(args) };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
  },
});
