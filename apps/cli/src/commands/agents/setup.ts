import { parseArgs } from "node:util";
import { ChestError } from "@chest/contracts";
import { type Env, StartError } from "@chest/runtime";
import { dataDirOf } from "@chest/runtime/profile";
import { defineCommand } from "citty";
import { alikeProject } from "../../agents/alike-project.ts";
import { ask, canAsk } from "../../agents/ask.ts";
import { AGENT_CLIENTS, type AgentClient, CLAUDE_CODE, installedAgents } from "../../agents/clients.ts";
import { HISTORY, type Offer, offerOf, picked, sayOffers } from "../../agents/dialogue.ts";
import { hasAgentHooks } from "../../agents/hooks/agent-hooks.ts";
import { withRegistered } from "../../agents/inherited.ts";
import { LLM_CHOICES, llmOffer, withLlm } from "../../agents/language-model.ts";
import { connect, disconnect, removeAll, setUp } from "../../agents/setup.ts";
import { documentOf, exitCodeOf, type Step, sayStep } from "../../agents/step.ts";
import { assertUsable, backendHere, readTarget, type Target } from "../../agents/target.ts";
import { runHistoryImport } from "../../history/command.ts";
import { pastSessions } from "../../history/past-sessions.ts";
import { COMMON, type ExitCode, type Shell } from "../../terminal/command-context.ts";
import { listOf } from "../../terminal/parse-lists.ts";
import { UsageError } from "../../terminal/usage.ts";

const CHECK_MS = 10_000;
const NAMES = AGENT_CLIENTS.map(({ name }) => name);

export const setup = defineCommand({
  meta: {
    name: "setup",
    description: "Connect the agents of this machine with Chest: server, skill, rules and hooks, in one go",
  },
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
      description: `${NAMES.join(", ")}; several with commas, or again. By default all of this machine`,
      valueHint: "name,…",
    },
    llm: {
      type: "string",
      description:
        "Language model of a store on this machine, for what sessions taught: Claude Code's program, or none",
      valueHint: LLM_CHOICES.join("|"),
    },
    history: { type: "boolean", description: "Read this machine's past sessions as well, as `import --all` does" },
    remove: { type: "boolean", description: "Undo it; memories stay" },
    "dry-run": { type: "boolean", description: "Show what would happen, change nothing" },
  },
  async run({ args, rawArgs, data }): Promise<ExitCode> {
    const shell: Shell = data;
    const { env, output } = shell;
    const isDry = args["dry-run"] ?? false;
    const isAsking = !isDry && !args.yes;
    const named = namedIn(rawArgs);
    if (isAsking && !canAsk()) {
      throw new UsageError(
        "`setup` asks before it changes anything, and there is no terminal",
        "`chest-index … --yes` continues without asking, `chest-index … --dry-run` shows what it would do",
      );
    }
    const dataDir = dataDirOf(env);
    const where = { env, dataDir, isDry };
    if (args.remove) return takeAway();

    const clients = named.length > 0 ? named : installedClients(env);
    const url = addressOf(args);
    const known = withRegistered(env, dataDir, clients, url);
    const flags = {
      url,
      token: args.token || undefined,
      tokenFile: args["token-file"],
      caFile: args["ca-file"],
      dataDir,
      isLocal: args.local ?? false,
      askToken: canAsk() ? () => ask("token of the backend: ", { isSecret: true }) : undefined,
    };
    const here = await backendHere(known, flags);
    const target = withLlm(here ?? (await readTarget(known, flags)), args.llm, where);
    output.say(
      `${await assertUsable(target, env, CHECK_MS)}${here ? "; it runs over this machine's data folder" : ""}`,
    );
    for (const warning of target.warnings) process.stderr.write(`warning: ${warning}\n`);
    if (!isAsking) {
      const steps = await setUp({ ...where, clients }, target);
      for (const step of steps) sayStep(output, step, isDry);
      await sayAlike(steps);
      if (args.history && !isDry && exitCodeOf(steps) !== 2) await readHistory();
      return ended(steps, clients, args.history === true);
    }
    const dry = async (client: AgentClient) =>
      offerOf(client, dataDir, await connect(client, { ...where, isDry: true }, target));
    const dried = (await Promise.all(clients.map(dry))).filter((offer) => offer !== undefined);
    const agents = dried.filter(({ isBroken }) => !isBroken);
    const broken = dried.filter(({ isBroken }) => isBroken);
    for (const { title, note } of broken) output.show(`left out: ${title}: ${note}`);
    const whole = clients.filter((client) => !broken.some((offer) => offer.client === client));
    const sessions = agents.length === 0 && !args.history ? undefined : await pastSessions(env);
    const history = sessions === undefined ? [] : [{ title: "past sessions", labels: HISTORY, note: sessions }];
    const offers: Offer[] = [...agents, ...history];
    let chosen: readonly Offer[] = offers;
    if (offers.length > 0) {
      sayOffers(output, "Chest connects on this machine:", offers);
      if (whole.some(hasHooks)) for (const line of notedIn(target)) output.say(line);
      chosen = await picked("connect them?", offers);
      if (chosen.length === 0) return unchanged();
    } else if (whole.length > 0) output.say(`connected already: ${titlesOf(whole)}`);
    const wanted = offers.length > 0 ? chosen.flatMap(({ client }) => client ?? []) : whole;
    const steps = await setUp({ ...where, clients: wanted }, target);
    for (const step of inShort(steps)) sayStep(output, step, false);
    await sayAlike(steps);
    const isRead = chosen.some(({ client }) => client === undefined);
    if (isRead && exitCodeOf(steps) !== 2) await readHistory();
    return ended(steps, wanted, isRead);

    async function sayAlike(steps: readonly Step[]): Promise<void> {
      const line = isDry || exitCodeOf(steps) === 2 ? undefined : await alikeProject(target, env, process.cwd());
      if (line) output.say(line);
    }

    async function readHistory(): Promise<void> {
      try {
        const isTold = !args.json && !args.quiet;
        const flags = { project: undefined, isDry: false, isEmbedding: true, isTold };
        await runHistoryImport({ folders: "all" }, flags, { ...shell, output: { ...output, document: () => {} } });
      } catch (error) {
        if (!(error instanceof ChestError) && !(error instanceof StartError)) throw error;
        output.problem({ message: error.message, hint: "`chest-index import --all` reads the past sessions" });
      }
    }

    async function takeAway(): Promise<ExitCode> {
      const candidates = named.length > 0 ? named : AGENT_CLIENTS;
      const dry = async (client: AgentClient) =>
        offerOf(client, dataDir, await disconnect(client, { ...where, isDry: true }));
      const connected = (await Promise.all(candidates.map(dry))).filter((offer) => offer !== undefined);
      const holding = connected.flatMap(({ client }) => client ?? []);
      // Without named agents, the files shared by all agents are removed too, as part of Claude Code's removal.
      let clients = named.length > 0 ? named : [...new Set([CLAUDE_CODE, ...holding])];
      if (isAsking) {
        const shared = async () => offerOf(CLAUDE_CODE, dataDir, await removeAll({ ...where, clients, isDry: true }));
        const left = connected.length > 0 ? undefined : await shared();
        const offers = left ? [{ ...left, title: "what agents share" }] : connected;
        if (offers.length === 0) {
          output.say("nothing of Chest is connected on this machine");
          return 0;
        }
        sayOffers(output, "Chest is connected on this machine, and takes out its own entries and files:", offers);
        output.say("memories stay, and so does what waits to be sent");
        const chosen = await picked("remove them?", offers);
        if (chosen.length === 0) return unchanged();
        if (chosen.length < offers.length) clients = chosen.flatMap(({ client }) => client ?? []);
      }
      const steps = await removeAll({ ...where, clients });
      for (const step of isAsking ? inShort(steps) : steps) sayStep(output, step, isDry);
      const code = exitCodeOf(steps);
      if (code === 2) output.say("not complete: fix what failed, then run this again");
      output.document({ ...documentOf(steps, isDry), installed: installedAgents(env).map(({ name }) => name) });
      return code;
    }

    function unchanged(): ExitCode {
      output.say("nothing was changed");
      return 0;
    }

    function ended(steps: readonly Step[], clients: readonly AgentClient[], isRead: boolean): ExitCode {
      const code = exitCodeOf(steps);
      if (code === 2) output.say("not complete: fix what failed, then run this again");
      else if (!isDry) {
        if (!isAsking && clients.some(hasHooks)) for (const line of notedIn(target)) output.say(line);
        for (const line of [...nextSteps(clients, isRead), ...llmOffer(target, env)]) output.say(line);
      }
      output.document({ ...documentOf(steps, isDry), installed: installedAgents(env).map(({ name }) => name) });
      return code;
    }
  },
});

const hasHooks = (client: AgentClient): boolean => client === CLAUDE_CODE || hasAgentHooks(client.name);

/** Facts about session notes that a user must know before agreeing to the hooks. */
const notedIn = ({ profile: { mode, url } }: Target): string[] => [
  mode === "remote"
    ? `the hooks note what is said and done in sessions, without secrets: every member of a project at ${url} can read its notes`
    : "the hooks note what is said and done in sessions, without secrets: in the store on this machine, for this account",
  "a file `.chest-off` keeps a folder out, `CHEST_CAPTURE=off` shows memories and notes nothing",
];

function nextSteps(clients: readonly AgentClient[], isRead: boolean): string[] {
  const one = clients.length === 1;
  return [
    ...(clients.length === 0
      ? []
      : [
          "now:",
          `  1. restart ${titlesOf(clients)}: ${one ? "it reads its" : "they read their"} settings at a start`,
          '  2. say to it: "Remember that we deploy on Tuesdays." and in a new session: "When do we deploy?"',
          "  3. look: `chest-index recall deploy`, or `chest-index page` for a browser",
        ]),
    ...(isRead ? [] : ["past sessions come in with `chest-index import --all`"]),
    ...(clients.some(({ name }) => name === "codex")
      ? ["Codex runs new hooks after you have trusted them once: `/hooks` in Codex"]
      : []),
    ...(clients.some(({ name }) => name === "cline") ? ["Cline runs hooks where its settings enable them"] : []),
    ...(clients.length === 0 ? [] : [`undo it with \`chest-index setup --remove --client ${namesOf(clients)} --yes\``]),
  ];
}

const namesOf = (clients: readonly AgentClient[]): string => clients.map(({ name }) => name).join(",");
const titlesOf = (clients: readonly AgentClient[]): string => clients.map(({ title }) => title).join(", ");

/** Finds the agents installed on this machine; without any, Claude Code, which may be installed later. */
function installedClients(env: Env): AgentClient[] {
  const installed = installedAgents(env);
  return installed.length > 0 ? installed : [CLAUDE_CODE];
}

/**
 * Shortens the list of steps: hooks in one file with the same outcome share a line, and unchanged steps are left out.
 */
function inShort(steps: readonly Step[]): Step[] {
  const changed = steps.filter(({ outcome }) => outcome !== "unchanged" && outcome !== "absent");
  return changed.flatMap((step, at) => {
    if (!isHook(step)) return [step];
    const isAs = (other: Step | undefined) => other && isHook(other) && other.outcome === step.outcome;
    const same = changed.filter((other) => isAs(other) && other.path === step.path);
    if (same.length === 1) return [step];
    return changed.indexOf(same[0] ?? step) === at ? [{ ...step, step: `${same.length} hooks` }] : [];
  });
}

const isHook = ({ step, hint }: Step): boolean => step.startsWith("hook ") && step !== "hook program" && !hint;

/** Lists the agents named by `--client`, which may be repeated. */
function namedIn(words: readonly string[]): AgentClient[] {
  const options = { client: { type: "string", multiple: true } } as const;
  const { client: given = [] } = parseArgs({ args: [...words], options, strict: false }).values;
  return clientsIn([given].flat().flatMap((names) => (typeof names === "string" ? listOf(names) : [])));
}

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
