import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { COMMON, type ExitCode, PROJECT, REACH, type Shell } from "../../terminal/command-context.ts";
import { readCount } from "../../terminal/parse-numbers.ts";

export const tags = defineCommand({
  meta: { name: "tags", description: "Every tag with its number of memories, or the memories of one" },
  args: {
    tag: { type: "positional", description: "A tag, to list its memories", required: false },
    limit: { type: "string", description: "At most this many", default: "50", valueHint: "1-200" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { tag, project } = args;
    const input = {
      ...(tag === undefined ? { view: "tags" } : { view: "tag", tag }),
      limit: readCount("limit", args.limit, 1, 200),
      ...(project === undefined ? {} : { project }),
    };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
    return 0;
  },
});
