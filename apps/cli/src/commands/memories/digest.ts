import { randomUUID } from "node:crypto";
import { endpoints } from "@chest/contracts";
import { digestView } from "@chest/core/listing";
import { defineCommand } from "citty";
import { operatorHere } from "../../connect/access-admin.ts";
import { withBackend } from "../../connect/backend.ts";
import { type Config, readConfig } from "../../connect/config.ts";
import { withOwnPorts } from "../../connect/tools.ts";
import { COMMON, type ExitCode, PROJECT, REACH, type Shell } from "../../terminal/command-context.ts";
import { readCount } from "../../terminal/parse-numbers.ts";
import { harmless } from "../../terminal/strip-control-characters.ts";
import { UsageError } from "../../terminal/usage.ts";

export const digest = defineCommand({
  meta: {
    name: "digest",
    description: "Tell in sentences what was learned, what helped and what waits for a decision, as Markdown",
  },
  args: {
    days: { type: "string", description: "How far back: 1 by default", valueHint: "1-31" },
    week: { type: "boolean", description: "The last seven days" },
    ...PROJECT,
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const { project, week } = args;
    if (week && args.days !== undefined) throw new UsageError("`--week` is seven days", "leave `--days` out");
    const days = week ? 7 : readCount("days", args.days ?? "1", 1, 31);
    const view = await ask(readConfig(env, args), { days, ...(project === undefined ? {} : { project }) });
    for (const line of harmless(view.text).trimEnd().split("\n")) output.show(line);
    output.document(view);
    return 0;
  },
});

/** Reads the digest from the backend or from this machine's store. */
async function ask(
  config: Config,
  input: Readonly<Record<string, string | number>>,
): Promise<{ readonly text: string }> {
  const { remote } = config;
  if (remote)
    return withBackend(remote, (backend) => {
      const query = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
      return backend.call(endpoints.digest, { query });
    });
  const call = { caller: operatorHere(), requestId: randomUUID(), signal: new AbortController().signal };
  return withOwnPorts(config, (pipeline) => pipeline.answer(digestView, { query: input }, call));
}
