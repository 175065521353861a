import { parseArgs } from "node:util";
import type { Env } from "@chest/runtime";
import { dataDirOf } from "@chest/runtime/profile";
import { defineCommand } from "citty";
import { ask, canAsk } from "../../agents/ask.ts";
import { AGENT_CLIENTS, type AgentClient, CLAUDE_CODE, installedAgents } from "../../agents/clients.ts";
import { withRegistered } from "../../agents/inherited.ts";
import { removeAll, type SetupPlan, setUp } from "../../agents/setup.ts";
import { documentOf, exitCodeOf, type Step, sayStep } from "../../agents/step.ts";
import { assertUsable, readTarget } from "../../agents/target.ts";
import { COMMON, type ExitCode, type Shell } from "../../terminal/command-context.ts";
import type { Output } from "../../terminal/output.ts";
import { listOf } from "../../terminal/parse-lists.ts";
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
    token: {
      type: "positional",
      description: "The token; a file is safer, because others can see a command line",
      required: false,
    },
    "token-file": { type: "string", description: "File that holds the backend's token", valueHint: "file" },
    "ca-file": {
      type: "string",
      description: "PEM file of a private certificate authority, for https",
      valueHint: "file",
    },
    client: {
      type: "string",
      description: `${NAMES.join(", ")}; several with commas, or again. By default ${CLAUDE_CODE.name}`,
      valueHint: "name,…",
    },
    remove: { type: "boolean", description: "Undo it; memories stay" },
    "dry-run": { type: "boolean", description: "Show what would happen, change nothing" },
  },
  async run({ args, rawArgs, data }): Promise<ExitCode> {
    const { env, output }: Shell = data;
    const isDry = args["dry-run"] ?? false;
    const named = namedIn(rawArgs);
    if (!isDry && !args.yes && !canAsk()) {
      throw new UsageError(
        "`setup` asks before it changes anything, and there is no terminal",
        "`chest-index … --yes` continues without asking, `chest-index … --dry-run` shows what it would do",
      );
    }
    const isAsked = named.length === 0 && !args.yes && !isDry && !args.remove;
    const clients = named.length > 0 ? named : isAsked ? await chosen(env, output) : [CLAUDE_CODE];
    const plan: SetupPlan = { env, dataDir: dataDirOf(env), clients, isDry };
    const agents = namesOf(clients);
    if (args.remove) return report(await (args.yes || isDry ? removeAll(plan) : confirmed(plan, removeAll)));

    const url = addressOf(args);
    const target = await readTarget(withRegistered(env, plan.dataDir, plan.clients, url), {
      url,
      token: args.token || undefined,
      tokenFile: args["token-file"],
      caFile: args["ca-file"],
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
      if (!/^y(es)?$/i.test(await ask("go on? [y/N] "))) throw new UsageError("nothing was changed", DRY_RUN);
      return work(asked);
    }

    function report(steps: readonly Step[]): ExitCode {
      for (const step of steps) sayStep(output, step, isDry);
      const code = exitCodeOf(steps);
      if (code === 2) output.say("not complete: fix what failed, then run this again");
      else if (!isDry && !args.remove) {
        if (clients.includes(CLAUDE_CODE)) for (const line of NOTED) output.say(line);
        output.say(`undo it with \`chest-index setup --remove --client ${agents} --yes\``);
      }
      if (named.length === 0 && !isAsked && !args.remove) offer(output, env, clients, args.yes === true);
      output.document({ ...documentOf(steps, isDry), installed: installedAgents(env).map(({ name }) => name) });
      return code;
    }
  },
});

/** Facts that a user has to know about hooks that note sessions. */
const NOTED = [
  "the hooks note what is said and done in sessions, without secrets: every member of a project can read its notes",
  "a file `.chest-off` keeps a folder out, `CHEST_CAPTURE=off` shows memories and notes nothing",
];

const namesOf = (clients: readonly AgentClient[]): string => clients.map(({ name }) => name).join(",");
const titlesOf = (clients: readonly AgentClient[]): string => clients.map(({ title }) => title).join(", ");

/** The agents that the person at the terminal picks of those that are installed; where there is no choice, Claude Code. */
async function chosen(env: Env, output: Output): Promise<AgentClient[]> {
  const installed = installedAgents(env);
  if (installed.every((client) => client === CLAUDE_CODE)) return [CLAUDE_CODE];
  output.say(`found on this machine: ${titlesOf(installed)}`);
  const answer = await ask(`which of them? [${namesOf(installed)}] `);
  return answer === "" ? installed : clientsIn(listOf(answer));
}

/** Names the other agents of this machine to a user who named none. */
function offer(output: Output, env: Env, done: readonly AgentClient[], isAgreed: boolean): void {
  const others = installedAgents(env).filter((client) => !done.includes(client));
  if (others.length === 0) return;
  output.say(`also found on this machine: ${titlesOf(others)}`);
  output.hint(
    `\`chest-index setup --client ${namesOf(others)}${isAgreed ? " --yes" : ""}\` connects ${others.length === 1 ? "it" : "them"}`,
  );
}

/** Agents that `--client` names, as often as it is given; none where it is not. */
function namedIn(words: readonly string[]): AgentClient[] {
  const options = { client: { type: "string", multiple: true } } as const;
  const { client: given = [] } = parseArgs({ args: [...words], options, strict: false }).values;
  return clientsIn([given].flat().flatMap((names) => (typeof names === "string" ? listOf(names) : [])));
}

const DRY_RUN = "`chest-index … --dry-run` shows what it would do";

function addressOf({ docker, nginx, local, token }: Readonly<Record<string, unknown>>): string | undefined {
  const given = [docker, nginx].filter((url): url is string => typeof url === "string");
  if (given.length + (local ? 1 : 0) > 1)
    throw new UsageError("`--docker`, `--nginx` and `--local` exclude each other", "give one of them");
  if (token && given.length === 0)
    throw new UsageError("a token was given without a backend", "give `--docker URL` before it");
  return given[0];
}

function clientsIn(names: readonly string[]): AgentClient[] {
  const clients = names.map((name) => {
    const client = AGENT_CLIENTS.find((known) => known.name === name);
    if (client) return client;
    throw new UsageError(`\`--client ${name.slice(0, 80)}\` is not a known agent`, `use one of ${NAMES.join(", ")}`);
  });
  return [...new Set(clients)];
}
