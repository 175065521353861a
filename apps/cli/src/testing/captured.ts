import type { Env } from "@chest/runtime";
import { run } from "../run.ts";

const NOWHERE = "/nowhere/chest";
/** Hides the sessions recorded on a developer's machine from a test. */
const NO_AGENTS = { CODEX_HOME: NOWHERE, COPILOT_HOME: NOWHERE, GEMINI_CLI_HOME: NOWHERE, XDG_DATA_HOME: NOWHERE };

/** Runs a command line in this process. @returns its exit code and its output. */
export async function captured(words: string, input: Env) {
  const env = { ...NO_AGENTS, ...input };
  const printed = { stdout: "", stderr: "" };
  const { stdout, stderr } = process;
  const original = { stdout: stdout.write, stderr: stderr.write };
  stdout.write = (text) => {
    printed.stdout += text;
    return true;
  };
  stderr.write = (text) => {
    printed.stderr += text;
    return true;
  };
  try {
    return { code: await run(words.split(" ").filter(Boolean), env), ...printed };
  } finally {
    stdout.write = original.stdout;
    stderr.write = original.stderr;
  }
}
