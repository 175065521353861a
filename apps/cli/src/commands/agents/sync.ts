import { runHistoryImport } from "../../history/command.ts";
import { reachingCommand } from "../../terminal/command-context.ts";

export const sync = reachingCommand({
  meta: { name: "sync", description: "Send what is new in this machine's sessions, as the hooks do" },
  args: {
    "session-file": { type: "string", description: "Only this transcript", valueHint: "file" },
  },
  async run(args, shell) {
    const sessionFile = args["session-file"];
    const source = sessionFile === undefined ? { folders: "all" as const } : { sessionFile };
    const flags = {
      project: undefined,
      isDry: false,
      isEmbedding: false,
      isTold: !args.json && !args.quiet,
      isForHooks: true,
    };
    return runHistoryImport(source, { ...args, ...flags }, shell);
  },
});
