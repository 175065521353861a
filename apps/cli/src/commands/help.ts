import { type CommandDef, defineCommand } from "citty";
import { COMMON, type ExitCode, type Shell } from "../terminal/command-context.ts";
import { findCommand, MANY } from "../terminal/usage.ts";
import { usagePage } from "../terminal/usage-line.ts";

/** Prints the same as `--help`, for the program or one of its commands. */
export const helpOf = (root: CommandDef) =>
  defineCommand({
    meta: { name: "help", description: "List the commands, or show how to use one" },
    args: {
      command: { type: "positional", description: "Like `outbox retry`", required: false, valueHint: MANY },
      ...COMMON,
    },
    async run({ args, data }): Promise<ExitCode> {
      const { output }: Shell = data;
      output.page(await usagePage(await findCommand(root, args._)));
      return 0;
    },
  });
