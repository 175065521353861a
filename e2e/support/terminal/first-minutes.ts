import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentProgram, PROGRAMS } from "../../agent-programs/programs.ts";
import { startScriptedModel } from "../../agent-programs/scripted-model.ts";
import type { Home } from "../deployment/installation.ts";
import { cleanEnv, ROOT } from "../process.ts";
import { openTerminal, startBackend } from "./terminal.ts";

// docs/first-minutes.md, from a run in an empty home: `CHEST_AGENT_PROGRAMS=DIR/node_modules/.bin npm run first-minutes`, where
// `npm install --prefix DIR` has put the agents.
const FILE = join(ROOT, "docs/first-minutes.md");
const { CHEST_AGENT_PROGRAMS: agents = "", CHEST_PORT: PORT = "8765", CHEST_HOOK_BUDGET_MS } = process.env;

/** An agent that is told something, the agent that is asked for it, and the words that have to come. */
const STEPS = [
  {
    told: "codex",
    says: "Remember that we deploy on Tuesdays, after the smoke test.",
    asked: "gemini",
    asks: "When do we deploy?",
    found: /we deploy on Tuesdays, after the smoke test\./i,
  },
  {
    told: "gemini",
    says: "From now on never commit the generated client to the repository.",
    asked: "opencode",
    asks: "May I commit the generated client?",
    found: /never commit the generated client to the repository\./i,
  },
  {
    told: "opencode",
    says: "From now on always run the linter before a commit.",
    asked: "codex",
    asks: "What do I have to run before a commit?",
    found: /always run the linter before a commit\./i,
  },
] as const;

const TITLES = { codex: "Codex", gemini: "Gemini CLI", opencode: "OpenCode" } as const;

const program = (name: string): AgentProgram => {
  const found = PROGRAMS.find((each) => each.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

const home = mkdtempSync(join(tmpdir(), "chest-first-"));
const [clone, work] = [join(home, "chest"), join(home, "acme")];
mkdirSync(join(work, ".git"), { recursive: true });
writeFileSync(join(work, ".git/config"), '[remote "origin"]\n\turl = https://git.example/acme/acme.git\n');
const model = await startScriptedModel();
const PATH = [join(home, ".local/bin"), agents, process.env.PATH].filter(Boolean).join(delimiter);
const unset = {
  CLAUDE_CONFIG_DIR: undefined,
  CODEX_HOME: undefined,
  COPILOT_HOME: undefined,
  XDG_CONFIG_HOME: undefined,
};
let env: NodeJS.ProcessEnv = cleanEnv({
  ...unset,
  HOME: home,
  PATH,
  CHEST_PORT: PORT,
  CHEST_HOOK_BUDGET_MS,
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  TMPDIR: undefined,
});
// The registry that this machine asks; nothing else of its user.
env = { ...env, npm_config_userconfig: join(homedir(), ".npmrc") };
for (const name of new Set(STEPS.flatMap(({ told, asked }) => [told, asked])))
  env = {
    ...env,
    ...(await program(name).configure({ path: (...parts: string[]) => join(home, ...parts) } as Home, model.url)),
  };

const hides = [
  [`git clone ${ROOT}`, "git clone REPOSITORY"],
  [home, "~"],
  [process.execPath, "NODE"],
  [ROOT, "REPOSITORY"],
  [model.url, "http://127.0.0.1:PORT"],
] as const;
const terminal = (cwd: string) => openTerminal({ env: { ...env, PWD: cwd }, cwd, hides });
const quoted = (word: string) => (/^[\w./-]+$/.test(word) ? word : `"${word}"`);

/** Lines of the log: what was typed in a folder, and what it printed. */
const log: string[] = [];
const section = (title: string, words: string) => log.push(`## ${title}`, "", words, "");
function note(folder: string, typed: string, printed: readonly string[]): void {
  const lines = [`${folder} $ ${typed}`, ...printed.join("\n").trim().split("\n")];
  log.push(...lines.map((line) => `    ${line}`.trimEnd()), "");
}
async function type(folder: string, cwd: string, words: string, answer?: string): Promise<string> {
  const printed = await terminal(cwd).run(words, answer);
  note(folder, words.replace(ROOT, "REPOSITORY"), printed);
  return printed.join("\n");
}

/** Types until the words have come that it is about: hooks write in the background, as the agent ends. */
async function typeUntil(found: RegExp, words: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const printed = await terminal(work).run(words);
    if (found.test(printed.join("\n"))) return note("~/acme", words, printed);
    if (tries === 60) throw new Error(`not found:\n${printed.join("\n")}`);
    await sleep(500);
  }
}

section("Start", "A home in which nothing is. Node 24, npm and git are there, and three agents by `npm install`.");
await type("~", home, `git clone ${ROOT} chest`);
const backend = await startBackend(env, clone);
try {
  note("~/chest", "npm start", terminal(clone).linesOf(backend.printed));
  section("Connect", "In another terminal. `y` is the one answer.");
  await type("~/chest", clone, "npm run setup", "y");
  for (const { told, says, asked, asks, found } of STEPS) {
    section(
      `${TITLES[told]} is told, ${TITLES[asked]} finds it`,
      `The script that stands for the model says "Noted." in ${TITLES[told]}. In ${TITLES[asked]} it repeats what the agent has given it about the question, else it says "I do not know."`,
    );
    model.answers([{ says: "Noted." }]);
    await type("~/acme", work, [told, ...program(told).words(says).map(quoted)].join(" "));
    await typeUntil(found, `chest-index recall "${asks}"`);
    model.answers([{ saysOf: (request) => found.exec(request)?.[0] ?? "I do not know." }]);
    const answer = await type("~/acme", work, [asked, ...program(asked).words(asks).map(quoted)].join(" "));
    if (!found.test(answer))
      throw new Error(
        `${asked} did not find it:\n${answer}\n${readFileSync(join(home, ".chest-memory/hook.log"), "utf8")}`,
      );
  }
  const head = `# The first minutes, line by line

What a newcomer types and what is printed, from an empty home to a memory that another agent finds, for three agents. Made by a
run: \`npm run first-minutes\`. The backend, setup, hooks and the agents are the real programs; the model behind each agent is a
script, whose address stands in the agent's own settings. Flags of the agents let them run without a terminal and without questions.`;
  writeFileSync(FILE, `${[head, "", ...log].join("\n").trim()}\n`);
} finally {
  await backend.stop();
  await model.stop();
  // npm is gone before the backend has closed its store.
  await sleep(3000);
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
}
