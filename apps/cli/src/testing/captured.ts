import type { Env } from "@chest/runtime";
import { run } from "../run.ts";

/** Runs a command line in this process: its exit code, and what it printed. */
export async function captured(words: string, env: Env) {
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
