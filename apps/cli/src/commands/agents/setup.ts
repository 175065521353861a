import type { Env } from "@chest/runtime";
import { dataDirOf } from "@chest/runtime/profile";
import { defineCommand } from "citty";
import { ask, canAsk } from "../../agents/ask.ts";
import { AGENT_CLIENTS, type AgentClient, CLAUDE_CODE } from "../../agents/clients.ts";
import { withRegistered } from "../../agents/inherited.ts";
import { removeAll, type SetupPlan, setUp } from "../../agents/setup.ts";
import { documentOf, exitCodeOf, type Step, sayStep } from "../../agents/step.ts";
import { assertUsable, readTarget } from "../../agents/target.ts";
import { COMMON, type ExitCode, type Shell } from "../../terminal/command-context.ts";
import { UsageError } from "../../terminal/usage.ts";

const CHECK_MS = 10_000;
const NAMES = AGENT_CLIENTS.map(({ name }) => name);

export const setup = defineCommand({
  meta: { name: "setup", description: "Connect an agent with Chest: server, skill, rules and hooks, in one go" },
  args: {
    ...COMMON,
    yes: { type: "boolean", alias: "y", description: "Do it without asking" },
    docker: { type: "string", description: "Use this backend; its token may follow", valueHint: "url" },
    nginx: { type: "string", description: "The same, behind a proxy: the path prefix is kept", valueHint: "url" },
    local: { type: "boolean", description: "Use a store on this machine" },
    token: { type: "positional", description: "Better in a file: a command line can be seen", required: false },
    "token-file": { type: "string", description: "Holds the backend's token", valueHint: "file" },
    client: { type: "string", description: `${NAMES.join(", ")}; several with commas`, default: CLAUDE_CODE.name },
    remove: { type: "boolean", description: "Undo it; what is stored stays" },
    "dry-run": { type: "boolean", description: "Say what would happen, change nothing" },
  },
  async run({ args, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const isDry = args["dry-run"] ?? false;
    const plan: SetupPlan = { env, dataDir: dataDirOf(env), clients: clientsIn(args.client), isDry };
    const agents = plan.clients.map((client) => client.name).join(",");
    const hint = hintFor(args.remove === true, agents);
    if (!isDry && !args.yes && !canAsk()) throw new UsageError("`setup` wants `--yes` where nobody can be asked", hint);
    if (args.remove) return report(await (args.yes || isDry ? removeAll(plan) : confirmed(plan, removeAll)));

    const url = addressOf(args);
    const target = await readTarget(withRegistered(env, plan.dataDir, plan.clients, url), {
      url,
      token: args.token || undefined,
      tokenFile: args["token-file"],
      dataDir: plan.dataDir,
      isLocal: args.local ?? false,
      askToken: canAsk() ? () => ask("token of the backend: ", { isSecret: true }) : undefined,
    });
    output.say(await assertUsable(target, env, CHECK_MS));
    for (const warning of target.warnings) process.stderr.write(`warning: ${warning}\n`);
    const steps = await (args.yes || isDry ? setUp(plan, target) : confirmed(plan, (agreed) => setUp(agreed, target)));
    return report(steps);

    async function confirmed(asked: SetupPlan, work: (plan: SetupPlan) => Promise<Step[]>): Promise<Step[]> {
      for (const step of await work({ ...asked, isDry: true })) sayStep(output, step, true);
      if (!/^y(es)?$/i.test(await ask("go on? [y/N] "))) throw new UsageError("nothing was changed", hint);
      return work(asked);
    }

    function report(steps: readonly Step[]): ExitCode {
      for (const step of steps) sayStep(output, step, isDry);
      const code = exitCodeOf(steps);
      if (code === 2) output.say("not complete: mend what failed, then run this again");
      else if (!isDry && !args.remove) output.say(`undo it with \`${again(env)} --remove${flagFor(agents)} --yes\``);
      output.document(documentOf(steps, isDry));
      return code;
    }
  },
});

/** This command once more, as it was started: in a clone it is a script. */
const again = ({ npm_lifecycle_event: script }: Env): string =>
  script === "setup" ? "npm run setup --" : "chest-index setup";

const flagFor = (agents: string): string => (agents === CLAUDE_CODE.name ? "" : ` --client ${agents}`);

const hintFor = (isRemoval: boolean, agents: string): string =>
  `\`${["chest-index setup", ...(isRemoval ? ["--remove"] : [])].join(" ")}${flagFor(agents)} --dry-run\` says what it would do`;

const HINT = hintFor(false, CLAUDE_CODE.name);

function addressOf({ docker, nginx, local, token }: Readonly<Record<string, unknown>>): string | undefined {
  const given = [docker, nginx].filter((url): url is string => typeof url === "string");
  if (given.length + (local ? 1 : 0) > 1)
    throw new UsageError("`--docker`, `--nginx` and `--local` exclude each other", HINT);
  if (token && given.length === 0)
    throw new UsageError("a token wants the backend it is for", "`--docker URL`, then the token");
  return given[0];
}

function clientsIn(given: string): AgentClient[] {
  return given.split(",").map((name) => {
    const client = AGENT_CLIENTS.find((known) => known.name === name.trim());
    if (client) return client;
    throw new UsageError(`\`--client ${name.slice(0, 80)}\` is no agent that is known`, `one of ${NAMES.join(", ")}`);
  });
}
