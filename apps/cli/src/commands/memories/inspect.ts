import { VIEW_NAMES } from "@chest/core/views";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { showView } from "../../render/view.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { readCount } from "../../terminal/parse-numbers.ts";
import { readIds, UsageError } from "../../terminal/usage.ts";
import { PROJECT } from "./recall.ts";

export const inspect = defineCommand({
  meta: { name: "inspect", description: "Look at what is stored, by one of its views" },
  args: {
    view: { type: "positional", description: VIEW_NAMES.join(", "), required: true },
    id: { type: "string", description: "The memory, for related, history and timeline", valueHint: "id" },
    tag: { type: "string", description: "For tag", valueHint: "tag" },
    category: { type: "string", description: "For tags and categories", valueHint: "category" },
    session: { type: "string", description: "For session and tiers", valueHint: "id" },
    query: { type: "string", description: "For timeline: around its best hit", valueHint: "words" },
    before: { type: "string", description: "For timeline: how many before it", valueHint: "0-50" },
    after: { type: "string", description: "For timeline: how many after it", valueHint: "0-50" },
    "threshold-hours": {
      type: "string",
      description: "For stale: also memories unchecked for this long",
      valueHint: "0-",
    },
    limit: { type: "string", description: "At most this many", valueHint: "1-200" },
    offset: { type: "string", description: "From here on", default: "0", valueHint: "0-" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { view, id, tag, category, session, query, before, after, limit, offset, project } = args;
    const hours = args["threshold-hours"];
    if (!(VIEW_NAMES as readonly string[]).includes(view)) {
      throw new UsageError(`there is no view \`${view}\``, `use one of ${VIEW_NAMES.join(", ")}`);
    }
    const input = {
      view,
      ...(id === undefined ? {} : { id: readIds(id)[0] }),
      ...(tag === undefined ? {} : { tag }),
      ...(category === undefined ? {} : { category }),
      ...(session === undefined ? {} : { session_id: session }),
      ...(query === undefined ? {} : { query }),
      ...(before === undefined ? {} : { before: readCount("before", before, 0, 50) }),
      ...(after === undefined ? {} : { after: readCount("after", after, 0, 50) }),
      ...(hours === undefined ? {} : { threshold_hours: readCount("threshold-hours", hours, 0, 87_600) }),
      ...(limit === undefined ? {} : { limit: readCount("limit", limit, 1, 200) }),
      offset: readCount("offset", offset, 0, 1_000_000),
      ...(project === undefined ? {} : { project }),
    };
    const found = await atWorkbench(readConfig(env, args), undefined, ({ execute }) => execute("chest_inspect", input));
    showView(output, found);
    output.document(found);
    return 0;
  },
});
