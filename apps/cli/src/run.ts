import { ChestError } from "@chest/contracts";
import { type Env, StartError, unknownNames } from "@chest/runtime";
import { NAME, type OwnName } from "@chest/runtime/own-name";
import { runCommand } from "citty";
import { root } from "./commands/index.ts";
import type { ExitCode, Shell } from "./terminal/command-context.ts";
import { type Output, openOutput } from "./terminal/output.ts";
import { keepReach, TAKES_REACH } from "./terminal/reach-flags.ts";
import { checkWords, findCommand, UsageError } from "./terminal/usage.ts";
import { usageLine, usagePage } from "./terminal/usage-line.ts";

/**
 * Runs a command line. Resolves with the exit code; every failure is printed, and none is thrown.
 * @param own name of this command line, for printed commands.
 */
export async function run(words: readonly string[], env: Env, own: OwnName = { program: NAME }): Promise<ExitCode> {
  const name = { ...own, words, keeps: keepReach(words) };
  const output = openOutput({
    isJson: words.includes("--json"),
    isQuiet: words.includes("--quiet"),
    isVerbose: words.includes("--verbose"),
    name,
  });
  const unknown = unknownNames(env);
  if (unknown) output.warn(unknown);
  const { oddNumbers } = await import("./connect/limits.ts");
  for (const odd of oddNumbers(env)) output.warn(odd);
  try {
    const code = await runFound({ env, output, name }, words);
    if (mayDeliver(words)) await deliverWaiting(env, words, output);
    return code;
  } catch (error) {
    if (!isProblem(error)) {
      const { unknownFailure } = await import("./terminal/unknown-failure.ts");
      output.problem(unknownFailure(error));
      if (words.includes("--verbose") && error instanceof Error) output.warn(String(error.stack));
      return 2;
    }
    const { mended } = await import("./connect/mend.ts");
    output.problem(await mended(error, words, env));
    if (isMistyped(error)) output.usage(await usageLine(await findCommand(root, words).catch(() => undefined)));
    return 2;
  }
}

/**
 * Commands that reach a backend also deliver queued calls, except those of the outbox and the doctors, which show the
 * queue.
 */
function mayDeliver(words: readonly string[]): boolean {
  const [first = "", second = ""] = words;
  return !/^(?:outbox|doctor|status)$/.test(first) && (TAKES_REACH.has(first) || TAKES_REACH.has(`${first} ${second}`));
}

async function deliverWaiting(env: Env, words: readonly string[], output: Output): Promise<void> {
  const { deliverAfter } = await import("./connect/deliver-after.ts");
  const delivered = await deliverAfter(env, words);
  if (delivered > 0) output.say(`${delivered} ${delivered === 1 ? "write" : "writes"} of the outbox delivered`);
}

async function runFound(shell: Shell, words: readonly string[]): Promise<ExitCode> {
  const found = await findCommand(root, words);
  const { command, path, rest } = found;
  const args = (await (typeof command.args === "function" ? command.args() : command.args)) ?? {};
  if (rest.includes("--help") || rest.includes("-h")) {
    shell.output.page(await usagePage(found));
    return 0;
  }
  if (path === "" && rest[0] === "--version") return showVersion(shell.output);
  checkWords(args, found);
  if (!command.run) {
    const names = Object.keys(
      (await (typeof command.subCommands === "function" ? command.subCommands() : command.subCommands)) ?? {},
    );
    throw new UsageError(`\`${`chest-index ${path}`.trim()}\` needs a command`, `use one of ${names.join(", ")}`);
  }
  const { result } = await runCommand(command, { rawArgs: [...rest], data: shell });
  return result === 1 || result === 2 ? result : 0;
}

async function showVersion(output: Output): Promise<ExitCode> {
  const { RELEASE } = await import("@chest/runtime");
  output.page(RELEASE);
  return 0;
}

const isMistyped = (error: Error): boolean => error instanceof UsageError || error.name === "CLIError";

const isProblem = (error: unknown): error is Error & { hint?: string | undefined } =>
  error instanceof ChestError ||
  error instanceof UsageError ||
  error instanceof StartError ||
  // Errors of opening a store and of usage are recognised by their fields, because loading their classes takes time.
  (error instanceof Error && (error.name === "CannotOpen" || error.name === "CLIError"));
