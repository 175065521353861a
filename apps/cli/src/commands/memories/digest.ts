import { digestView } from "@chest/core/listing";
import { readConfig } from "../../connect/config.ts";
import { answerTo } from "../../connect/tools.ts";
import { PROJECT, reachingCommand } from "../../terminal/command-context.ts";
import { operationFlags } from "../../terminal/schema-flags.ts";
import { harmless } from "../../terminal/strip-control-characters.ts";
import { UsageError } from "../../terminal/usage.ts";

const FLAGS = operationFlags(digestView, { days: { words: "How far back: 1 by default" }, project: {} });

export const digest = reachingCommand({
  meta: {
    name: "digest",
    description: "Tell in sentences what was learned, what helped and what waits for a decision, as Markdown",
  },
  args: {
    ...FLAGS.args,
    week: { type: "boolean", description: "The last seven days" },
    ...PROJECT,
  },
  async run(args, { env, output }) {
    const { week } = args;
    const query = { ...FLAGS.read(args), ...(week && { days: 7 }) };
    if (week && args.days !== undefined) throw new UsageError("`--week` is seven days", "leave `--days` out");
    const view = await answerTo(readConfig(env, args), digestView, { query });
    for (const line of harmless(view.text).trimEnd().split("\n")) output.show(line);
    output.document(view);
  },
});
