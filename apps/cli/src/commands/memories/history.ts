import { ChestError } from "@chest/contracts";
import { recallFile } from "@chest/core/tools";
import { readConfig } from "../../connect/config.ts";
import { atWorkbench } from "../../connect/tools.ts";
import { memoryLines, noMemory, wrapped } from "../../render/memory.ts";
import { type ShownHistory, versionLines } from "../../render/version.ts";
import { PROJECT, reachingCommand } from "../../terminal/command-context.ts";
import { someFlags } from "../../terminal/schema-flags.ts";
import { onOneLine } from "../../terminal/strip-control-characters.ts";

const FLAGS = someFlags(recallFile.input, {
  max_intents: { flag: "limit", words: "At most this many versions, or reasons", usual: "20" },
  project: {},
});

export const history = reachingCommand({
  meta: { name: "history", description: "What a memory said before, or what sessions did to a file and why" },
  args: {
    of: { type: "positional", description: "A memory's id; a path, or the end of one", required: true },
    ...FLAGS.args,
    ...PROJECT,
  },
  async run(args, { env, output }) {
    const input = FLAGS.read(args);
    const config = readConfig(env, args);
    const id = /^#?([1-9]\d{0,15})$/.exec(args.of)?.[1];
    const found = await atWorkbench(config, undefined, ({ execute, read }) =>
      id === undefined
        ? execute("chest_recall_file", { path_substring: args.of, ...input })
        : read(`memory://history/${id}?limit=${input.max_intents}`).catch((error) => {
            throw isMissing(error) ? noMemory(id) : error;
          }),
    );
    const lines =
      id === undefined ? fileLines(found as unknown as ShownFile) : versionLines(found as unknown as ShownHistory);
    for (const line of lines) output.show(line);
    output.document(found);
  },
});

const isMissing = (error: unknown): boolean => error instanceof ChestError && error.code === "NOT_FOUND";

/** History of a file, as returned by its tool. */
interface ShownFile {
  readonly count: number;
  readonly note?: string;
  readonly paths_matched?: readonly { readonly file_path: string; readonly edits: number }[];
  readonly total_paths?: number;
  readonly daily_breakdown?: readonly { readonly day: string; readonly operation: string; readonly edits: number }[];
  readonly user_intents?: readonly { readonly when: string; readonly occurrences: number; readonly intent: string }[];
  readonly linked_memories?: readonly {
    readonly id: number;
    readonly entity: string;
    readonly layer: string;
    readonly preview: string;
  }[];
}

/** Renders the files, when and why they were edited, and the memories about them. */
function fileLines(found: ShownFile): string[] {
  const { note, paths_matched: paths = [], total_paths = paths.length, daily_breakdown: days = [] } = found;
  const { user_intents: intents = [], linked_memories: memories = [] } = found;
  const columns = process.stdout.columns ?? 80;
  return [
    ...(note ? [note] : []),
    ...paths.map(({ file_path, edits }) => `${onOneLine(file_path)}  ${times(edits)}`),
    ...(total_paths > paths.length ? [`${total_paths - paths.length} more files`] : []),
    ...days.map(({ day, operation, edits }) => `  ${day}  ${operation}  ${edits}`),
    ...intents.flatMap(({ when, occurrences, intent }) => [
      "",
      `${when.slice(0, 10)}  ${times(occurrences)}, asked for:`,
      ...wrapped(intent, columns),
    ]),
    ...(memories.length > 0 ? ["", "remembered about it:"] : []),
    ...memories.flatMap(({ preview, ...memory }) => [...memoryLines({ ...memory, content: preview }, columns), ""]),
  ];
}

const times = (edits: number): string => `${edits} ${edits === 1 ? "edit" : "edits"}`;
