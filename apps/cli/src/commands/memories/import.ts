import { readProjectKey } from "@chest/core/access";
import { KEEP_OLD, type KeepOld } from "@chest/core/transcript";
import { type HistorySource, runHistoryImport } from "../../history/command.ts";
import { FORMAT_NAMES, IMPORT_HINT, runRecordImport } from "../../history/import-records.ts";
import { DATABASE, reachingCommand } from "../../terminal/command-context.ts";
import { MANY, UsageError } from "../../terminal/usage.ts";

export const importCommand = reachingCommand({
  meta: {
    name: "import",
    description: "Import agents' session transcripts, or another system's memories; a repeat changes nothing",
  },
  args: {
    database: DATABASE,
    file: {
      type: "positional",
      description: "Folders of transcripts; with `--from`, the file",
      valueHint: MANY,
      required: false,
    },
    all: { type: "boolean", description: "Every session of Claude Code on this machine" },
    "session-file": { type: "string", description: "The transcript of one session", valueHint: "file" },
    "skip-embed": { type: "boolean", description: "Do not embed the imported memories" },
    from: { type: "string", description: `Format of another system: ${FORMAT_NAMES}`, valueHint: "format" },
    archive: { type: "string", description: "An archive that `chest-index export` made", valueHint: "file" },
    project: { type: "string", description: "Put everything into this project", valueHint: "key" },
    "keep-old": {
      type: "string",
      description:
        "Also import memories older than their layer's lifetime: `fresh` restarts it, `archived` archives them",
      valueHint: "fresh|archived",
    },
    "dry-run": { type: "boolean", description: "Show what would be imported, change nothing" },
  },
  async run(args, shell) {
    const project = args.project?.trim() ? readProjectKey(args.project, "--project") : undefined;
    const keepOld = keepOldOf(args["keep-old"]);
    const shared = { project, isDry: args["dry-run"] === true };
    const source = historyOf(args);
    if (source) {
      const isTold = !args.json && !args.quiet;
      return runHistoryImport(source, { ...args, ...shared, keepOld, isTold, isEmbedding: !args["skip-embed"] }, shell);
    }
    if (keepOld) throw new UsageError("`--keep-old` is for sessions", "records of other systems keep their own expiry");
    const [, extra] = args._;
    if (extra !== undefined) throw new UsageError(`unexpected argument \`${extra}\``, IMPORT_HINT);
    return runRecordImport(args, shared, shell);
  },
});

function keepOldOf(value: string | undefined): KeepOld | undefined {
  const found = KEEP_OLD.find((way) => way === value);
  if (value === undefined || found) return found;
  throw new UsageError(`\`--keep-old ${value.slice(0, 40)}\` is not a way to keep it`, `one of ${KEEP_OLD.join(", ")}`);
}

interface ImportArguments {
  readonly _: readonly string[];
  readonly all?: boolean | undefined;
  readonly "session-file"?: string | undefined;
  readonly from?: string | undefined;
  readonly archive?: string | undefined;
}

/** Undefined unless sessions are imported. */
function historyOf({
  _: folders,
  all,
  "session-file": sessionFile,
  from,
  archive,
}: ImportArguments): HistorySource | undefined {
  const sources = [all === true, sessionFile !== undefined, from !== undefined || archive !== undefined];
  if (sources.filter(Boolean).length > 1) throw new UsageError("give one source only", IMPORT_HINT);
  if (from !== undefined || archive !== undefined) return undefined;
  if (folders.length > 0 && (all === true || sessionFile !== undefined)) {
    throw new UsageError(`unexpected argument \`${folders[0]}\``, IMPORT_HINT);
  }
  if (sessionFile !== undefined) return { sessionFile };
  if (all === true) return { folders: "all" };
  return folders.length > 0 ? { folders } : undefined;
}
