import { endpoints } from "@chest/contracts";
import { withBackend } from "../../connect/backend.ts";
import { readConfig } from "../../connect/config.ts";
import { reachingCommand } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

/** Longer than a backend waits for its model. */
const TIMEOUT_MS = 30_000;

export const llm = reachingCommand({
  meta: { name: "llm", description: "Ask a backend's language model for one word: `chest-index llm test`" },
  args: {
    what: { type: "positional", description: "`test`", required: true },
  },
  async run(args, { env, output }) {
    if (args.what !== "test") throw new UsageError(`unknown argument \`${args.what}\``, "use `chest-index llm test`");
    const { remote } = readConfig(env, args);
    if (!remote) {
      throw new UsageError("a language model is a backend's", "name one with `--remote-url` or CHEST_REMOTE_URL");
    }
    const reach = { ...remote, timeoutMs: Math.max(remote.timeoutMs, TIMEOUT_MS) };
    const state = await output.working("asking the model", () =>
      withBackend(reach, (backend) => backend.call(endpoints.testLlm, { body: {}, tries: 1 })),
    );
    const { writes, configured, provider, model, reason, cause, ms, tokens_today: today, tokens_a_day: most } = state;
    output.document(state);
    if (!configured) {
      output.say("no language model is configured: answers and summaries quote stored sentences");
      return 1;
    }
    output.show(`${provider}: ${model}`);
    output.show(writes ? `it writes: ${ms} ms` : `it does not write: ${reason}${cause ? ` (${cause})` : ""}`);
    output.show(`tokens today: ${today} of ${most}`);
    if (writes) return 0;
    const hint = hintFor(reason ?? "", cause ?? "");
    if (hint !== undefined) output.hint(hint);
    return 1;
  },
});

const BY_REASON: Readonly<Record<string, string>> = {
  timeout: "it has 20 seconds for an answer: load the model first, or use a smaller one",
  busy: "two requests were under way already: ask again",
  budget: "raise CHEST_LLM_BUDGET, or wait for the next day (UTC)",
  unavailable: "it failed three times in a row and is paused: ask again in a minute",
  unusable: "it answered without a word: is CHEST_LLM_MODEL a chat model?",
};

/** Names the backend's variable that is probably wrong. */
function hintFor(reason: string, cause: string): string | undefined {
  if (cause === "HTTP 401" || cause === "HTTP 403") return "check the backend's CHEST_LLM_API_KEY";
  if (cause === "HTTP 404" || cause === "HTTP 400") return "check the backend's CHEST_LLM_MODEL and CHEST_LLM_URL";
  if (cause === "ENOENT") return "install Claude Code where the backend runs, or check the PATH of the backend";
  if (cause.startsWith("EXIT_")) return "run `claude -p hello` as the user of the backend: is it signed in?";
  if (cause !== "" && !/^HTTP [45]/.test(cause)) return "check the backend's CHEST_LLM_URL";
  return BY_REASON[reason];
}
