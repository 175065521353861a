import { defineCommand } from "citty";
import { runHistoryImport } from "../../history/command.ts";
import { COMMON, type ExitCode, REACH, type Shell } from "../../terminal/command-context.ts";

export const sync = defineCommand({
  meta: { name: "sync", description: "Send what is new in this machine's sessions, as the hooks do" },
  args: {
    ...COMMON,
    ...REACH,
    "session-file": { type: "string", description: "Only this transcript", valueHint: "file" },
  },
  async run({ args, data }): Promise<ExitCode> {
    const sessionFile = args["session-file"];
    const source = sessionFile === undefined ? { folders: "all" as const } : { sessionFile };
    const flags = {
      project: undefined,
      isDry: false,
      isEmbedding: false,
      isTold: !args.json && !args.quiet,
      isForHooks: true,
    };
    return runHistoryImport(source, { ...args, ...flags }, data as Shell);
  },
});
