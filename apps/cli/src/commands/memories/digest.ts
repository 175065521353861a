import { digestView } from "@chest/core/listing";
import { defineCommand } from "citty";
import { readConfig } from "../../connect/config.ts";
import { answerTo } from "../../connect/tools.ts";
import { COMMON, type ExitCode, PROJECT, REACH, type Shell } from "../../terminal/command-context.ts";
import { operationFlags } from "../../terminal/schema-flags.ts";
import { harmless } from "../../terminal/strip-control-characters.ts";
import { UsageError } from "../../terminal/usage.ts";

const FLAGS = operationFlags(digestView, { days: { words: "How far back: 1 by default" }, project: {} });

export const digest = defineCommand({
  meta: {
    name: "digest",
    description: "Tell in sentences what was learned, what helped and what waits for a decision, as Markdown",
  },
  args: {
    ...FLAGS.args,
    week: { type: "boolean", description: "The last seven days" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { week } = args;
    const query = { ...FLAGS.read(args), ...(week && { days: 7 }) };
    if (week && args.days !== undefined) throw new UsageError("`--week` is seven days", "leave `--days` out");
    const view = await answerTo(readConfig(env, args), digestView, { query });
    for (const line of harmless(view.text).trimEnd().split("\n")) output.show(line);
    output.document(view);
    return 0;
  },
});
