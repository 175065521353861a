import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { DOCUMENTS } from "../../../deploy/help/pages.ts";
import { cleanEnv, NODE_24, ROOT } from "../process.ts";
import { fencesOf } from "./guide.ts";

const DOCUMENTED_PORT = "8765";
/** Line that a document tells the reader to type before its commands. */
const SET_BEFORE = /`(export CHEST_MODE=local)` makes it/;
const SETS_A_VARIABLE = /^(?:export )?[A-Z_]+=\S*(?:\$\(.*\))?$/;
const ASKS = /\bsetup\b/;
/** Recognises the command that removes what the other commands need. */
const UNDOES = /\bsetup --remove\b/;
// Ids in the documents do not exist in this store, and its token belongs to no member.
const NOT_HERE = /^chest-index: .*\b\d+`? not found$|uses no member's token|member `alice` is disabled/m;

export interface Machine {
  /** Clone in which `npm start` runs. */
  readonly clone: string;
  readonly home: string;
  readonly port: number;
}

export interface Outcome {
  readonly command: string;
  readonly output: string;
  /** True when the command succeeded, warned, or named an id that is not in this store. */
  readonly isUnderstood: boolean;
}

/** Runs the commands that the documents leave to a clone, in order, on a connected machine. */
export async function runDocumentedCommands(machine: Machine): Promise<Outcome[]> {
  furnish(machine);
  const commands = DOCUMENTS.flatMap(commandsOfDocument);
  const isLast = ({ line }: Command) => UNDOES.test(line);
  const outcomes: Outcome[] = [];
  for (const command of [...commands.filter((each) => !isLast(each)), ...commands.filter(isLast)]) {
    outcomes.push(await runOne(command, machine));
  }
  return outcomes;
}

interface Command {
  /** Variables set by earlier lines of the code block. */
  readonly before: string;
  readonly line: string;
}

function commandsOfDocument(document: string): Command[] {
  const [, always = ""] = SET_BEFORE.exec(readFileSync(join(ROOT, document), "utf8")) ?? [];
  return fencesOf(document)
    .filter(({ language, runner }) => language === "sh" && runner === "")
    .flatMap(({ code }) => linesOf(code, always));
}

function linesOf(code: string, always: string): Command[] {
  const commands: Command[] = [];
  let before = `${always}\n`;
  for (const line of code.replaceAll("\\\n", " ").split("\n")) {
    if (line.trim() === "") continue;
    if (SETS_A_VARIABLE.test(line)) before += `${line}\n`;
    else commands.push({ before, line: line.replace(/\s+#\s.*$/, "") });
  }
  return commands;
}

async function runOne({ before, line }: Command, { clone, home, port }: Machine): Promise<Outcome> {
  const script = `${before}${line}${ASKS.test(line) ? answerYes(line) : ""}`.replaceAll(DOCUMENTED_PORT, String(port));
  const env = cleanEnv({
    HOME: home,
    CLAUDE_CONFIG_DIR: undefined,
    CHEST_PORT: String(port),
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
  });
  const ran = promisify(execFile)("sh", ["-ec", script], { cwd: clone, env });
  ran.child.stdin?.end();
  const { code, output } = await ran.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error) => ({ code: error.code, output: `${error.stdout}${error.stderr}` }),
  );
  const isUnderstood = (code <= 1 || NOT_HERE.test(output)) && !/^\s+at .+:\d+:\d+/m.test(output);
  return { command: line, output: `exit code ${code}\n${output}`, isUnderstood };
}

/** Adds the arguments that replace a user's answer in the terminal. */
const answerYes = (line: string): string =>
  line.startsWith("npm ") && !line.includes(" -- ") ? " -- --yes" : " --yes";

/** Prepares the machine: the program under its name, an agent with a session, and skills. */
function furnish({ clone, home }: Machine): void {
  const turn = {
    type: "user",
    uuid: "u1",
    sessionId: "s1",
    cwd: home,
    timestamp: "2026-11-02T09:00:00.000Z",
    message: { role: "user", content: "Always run the smoke test before a deploy." },
  };
  const files = {
    "bin/chest-index": `#!/bin/sh\nexec '${NODE_24}' '${join(clone, "apps/mcp/dist/chest-index.js")}' "$@"\n`,
    ".claude/projects/a-project/s1.jsonl": `${JSON.stringify(turn)}\n`,
    ".claude/skills/debug/SKILL.md": "---\nname: debug\ndescription: Finds faults\n---\n# Debug\n",
    "skills/other/SKILL.md": "---\nname: other\ndescription: Finds others\n---\n# Other\n",
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content, { mode: 0o755 });
  }
}
