import { endpoints } from "@chest/contracts";
import { defineCommand } from "citty";
import { withBackend } from "../../connect/backend.ts";
import { readConfig } from "../../connect/config.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

/** Longer than a backend waits for its model. */
const TIMEOUT_MS = 30_000;

export const llm = defineCommand({
  meta: { name: "llm", description: "Ask a backend's language model for one word: `chest-index llm test`" },
  args: {
    what: { type: "positional", description: "`test`", required: true },
    ...COMMON,
    ...REACH,
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    if (args.what !== "test") throw new UsageError(`unknown argument \`${args.what}\``, "use `chest-index llm test`");
    const { remote } = readConfig(env, args);
    if (!remote) {
      throw new UsageError("a language model is a backend's", "name one with `--remote-url` or CHEST_REMOTE_URL");
    }
    const reach = { ...remote, timeoutMs: Math.max(remote.timeoutMs, TIMEOUT_MS) };
    const told = await output.working("asking the model", () =>
      withBackend(reach, (backend) => backend.call(endpoints.testLlm, { body: {}, tries: 1 })),
    );
    const { writes, configured, provider, model, reason, ms, tokens_today: today, tokens_a_day: most } = told;
    output.document(told);
    if (!configured) {
      output.say("no language model is configured: answers and summaries are made of sentences that are there");
      return 1;
    }
    output.show(`${provider}: ${model}`);
    output.show(writes ? `it writes: ${ms} ms` : `it does not write: ${reason}`);
    output.show(`tokens today: ${today} of ${most}`);
    return writes ? 0 : 1;
  },
});
